/** Limits of HTTP requests: rules of both, the filter of WebFlux, the answers to refusals. */
@NullMarked
package dev.weir.spring.web;

import org.jspecify.annotations.NullMarked;
