package dev.weir.spring.autoconfigure;

import dev.weir.RateLimiterListener;
import dev.weir.redis.RedisRateLimiter;
import java.time.Duration;

/** What all limiters on Redis have in common. */
record RedisSettings(
    String keyPrefix, Duration timeout, boolean hashKeys, RateLimiterListener listener) {

  RedisRateLimiter build(RedisRateLimiter.Builder builder) {
    return builder
        .keyPrefix(keyPrefix)
        .timeout(timeout)
        .hashKeys(hashKeys)
        .listener(listener)
        .build();
  }
}
