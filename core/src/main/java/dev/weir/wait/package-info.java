/**
 * Waiting for permits, for those who write a store: a {@link dev.weir.wait.WaitQueue} makes the
 * waiting calls of a {@link dev.weir.RateLimiter} out of its immediate ones.
 */
@NullMarked
package dev.weir.wait;

import org.jspecify.annotations.NullMarked;
