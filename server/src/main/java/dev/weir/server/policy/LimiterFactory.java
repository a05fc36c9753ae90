package dev.weir.server.policy;

import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;

/** Makes the limiters of one store. Safe for use by several threads. */
public interface LimiterFactory extends AutoCloseable {

  /** A limiter for a policy. */
  RateLimiter limiter(RateLimitPolicy policy);

  /** The store in a few words, for people. */
  String describe();

  /** Closes the connections to the store. */
  @Override
  void close();
}
