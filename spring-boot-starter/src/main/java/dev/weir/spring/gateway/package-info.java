/** The limiter of Spring Cloud Gateway. */
@NullMarked
package dev.weir.spring.gateway;

import org.jspecify.annotations.NullMarked;
