/** Redisson under load, in a process of its own. */
@NullMarked
package dev.weir.benchmarks.redisson;

import org.jspecify.annotations.NullMarked;
