/** A shop on WebFlux. */
@NullMarked
package dev.weir.examples.webflux;

import org.jspecify.annotations.NullMarked;
