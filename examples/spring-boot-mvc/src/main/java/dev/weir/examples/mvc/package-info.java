/** A shop on Spring MVC. */
@NullMarked
package dev.weir.examples.mvc;

import org.jspecify.annotations.NullMarked;
