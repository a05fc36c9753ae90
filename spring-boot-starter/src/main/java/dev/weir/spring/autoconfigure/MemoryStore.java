package dev.weir.spring.autoconfigure;

import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterListener;
import dev.weir.TimeSource;
import dev.weir.local.LocalRateLimiter;

/** Limits in the memory of this process. */
record MemoryStore(TimeSource time, int maxKeys, RateLimiterListener listener)
    implements LimiterStore {

  @Override
  public RateLimiter limiter(RateLimitPolicy policy) {
    return LocalRateLimiter.builder(policy)
        .timeSource(time)
        .maxKeys(maxKeys)
        .listener(listener)
        .build();
  }

  @Override
  public String describe() {
    return "the memory of this process";
  }

  @Override
  public void close() {}
}
