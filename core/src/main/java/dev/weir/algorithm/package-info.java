/**
 * The arithmetic of each algorithm: pure functions of a limit, a state, a cost and a time. All of
 * it is exact: integers, microseconds, and every division with its rounding named. The scripts of
 * the Redis store do the same steps in the same order; docs/algorithms.md explains them.
 */
@NullMarked
package dev.weir.algorithm;

import org.jspecify.annotations.NullMarked;
