/**
 * The API of Weir: {@link dev.weir.Limit limits}, {@link dev.weir.RateLimitPolicy policies} made of
 * them, the {@link dev.weir.RateLimiter} that applies a policy to keys, and its {@link
 * dev.weir.Decision decisions}.
 */
@NullMarked
package dev.weir;

import org.jspecify.annotations.NullMarked;
