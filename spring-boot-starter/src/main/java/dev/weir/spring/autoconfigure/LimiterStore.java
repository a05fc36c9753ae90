package dev.weir.spring.autoconfigure;

import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;

/** Where the state of limits is, and makes limiters on it. */
interface LimiterStore extends AutoCloseable {

  /** A limiter. */
  RateLimiter limiter(RateLimitPolicy policy);

  /** Where it is, for people. */
  String describe();

  @Override
  void close();
}
