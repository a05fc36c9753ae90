package dev.weir.server.policy;

import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.TimeSource;
import dev.weir.local.LocalRateLimiter;

/** Limiters that keep their state in this process. */
public final class MemoryLimiters implements LimiterFactory {

  private final TimeSource timeSource;

  /** On the machine's clock. */
  public MemoryLimiters() {
    this(TimeSource.monotonic());
  }

  /** On a clock of the caller's. */
  public MemoryLimiters(TimeSource timeSource) {
    this.timeSource = timeSource;
  }

  @Override
  public RateLimiter limiter(RateLimitPolicy policy) {
    return LocalRateLimiter.builder(policy).timeSource(timeSource).build();
  }

  @Override
  public String describe() {
    return "in-process store";
  }

  @Override
  public void close() {
    // nothing is open
  }
}
