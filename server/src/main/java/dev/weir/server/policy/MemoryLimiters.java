package dev.weir.server.policy;

import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.TimeSource;
import dev.weir.adaptive.AdaptivePolicy;
import dev.weir.adaptive.AdaptiveRateLimiter;
import dev.weir.adaptive.AddressRanges;
import dev.weir.adaptive.OverrideStore;
import dev.weir.local.LocalAdaptiveRateLimiter;
import dev.weir.local.LocalOverrideStore;
import dev.weir.local.LocalRateLimiter;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Limiters that keep their state in this process. */
public final class MemoryLimiters implements LimiterFactory {

  private final TimeSource timeSource;
  private final PolicyStore policies = new MemoryPolicyStore();
  private final OverrideStore overrides;

  /** On the machine's clock. */
  public MemoryLimiters() {
    this(TimeSource.monotonic());
  }

  /** On a clock of the caller's. */
  public MemoryLimiters(TimeSource timeSource) {
    this.timeSource = timeSource;
    this.overrides = LocalOverrideStore.create(timeSource, AddressRanges.standard());
  }

  @Override
  public RateLimiter limiter(RateLimitPolicy policy) {
    return LocalRateLimiter.builder(policy).timeSource(timeSource).build();
  }

  @Override
  public AdaptiveRateLimiter adaptive(
      RateLimiter limiter, AdaptivePolicy policy, @Nullable AdaptiveRateLimiter before) {
    if (before instanceof LocalAdaptiveRateLimiter local) {
      local.change(limiter.policy(), policy);
      return local;
    }
    return LocalAdaptiveRateLimiter.create(
        limiter.policy(), policy, timeSource, LocalAdaptiveRateLimiter.DEFAULT_MAX_SUBJECTS);
  }

  @Override
  public PolicyStore policies() {
    return policies;
  }

  @Override
  public OverrideStore overrides() {
    return overrides;
  }

  @Override
  public CompletableFuture<Long> pingMicros() {
    return CompletableFuture.completedFuture(0L);
  }

  @Override
  public boolean isLocal() {
    return true;
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
