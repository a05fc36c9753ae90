/** Metrics of limiters through Micrometer, which this package needs and no other does. */
@NullMarked
package dev.weir.micrometer;

import org.jspecify.annotations.NullMarked;
