/** The limiter that keeps its state in the memory of this process. */
@NullMarked
package dev.weir.local;

import org.jspecify.annotations.NullMarked;
