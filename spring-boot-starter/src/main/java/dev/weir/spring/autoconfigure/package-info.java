/** What Spring Boot starts by itself, and its properties. */
@NullMarked
package dev.weir.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
