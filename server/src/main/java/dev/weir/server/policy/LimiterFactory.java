package dev.weir.server.policy;

import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.adaptive.AdaptivePolicy;
import dev.weir.adaptive.AdaptiveRateLimiter;
import dev.weir.adaptive.OverrideStore;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Makes the limiters of one store. Safe for use by several threads. */
public interface LimiterFactory extends AutoCloseable {

  /** A limiter for a policy. */
  RateLimiter limiter(RateLimitPolicy policy);

  /**
   * A limiter that adapts.
   *
   * @param limiter one of this factory, by whose policy it limits
   * @param policy how it adapts
   * @param before the one that it goes on from, with what is known; {@code null} if there is none
   */
  AdaptiveRateLimiter adaptive(
      RateLimiter limiter, AdaptivePolicy policy, @Nullable AdaptiveRateLimiter before);

  /** Where policies are kept that are set through the interface; always the same one. */
  PolicyStore policies();

  /** Where it is kept what somebody decided by hand; always the same one. */
  OverrideStore overrides();

  /** How long the store takes to answer, in microseconds; fails if it does not within a second. */
  CompletableFuture<Long> pingMicros();

  /** Whether what is counted is in this process alone. */
  boolean isLocal();

  /** The store in a few words, for people. */
  String describe();

  /** Closes the connections to the store. */
  @Override
  void close();
}
