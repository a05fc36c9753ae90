/** Measures Weir and its peers in one run, in rounds that take turns. */
@NullMarked
package dev.weir.benchmarks;

import org.jspecify.annotations.NullMarked;
