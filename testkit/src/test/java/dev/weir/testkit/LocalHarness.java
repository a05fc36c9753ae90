package dev.weir.testkit;

import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.local.LocalRateLimiter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The in-process limiter, where each limiter is a store of its own. What it keeps for a key is seen
 * through what it would answer from now on.
 */
final class LocalHarness implements LimiterHarness {

  private static final long[] LATER = {
    0, 1, 1_000, 333_333, 1_000_000, 60_000_000, 3_600_000_000L, 86_400_000_000L,
  };

  private final ManualClock clock = new ManualClock();
  private final Map<String, LocalRateLimiter> latest = new HashMap<>();

  @Override
  public RateLimiter limiter(RateLimitPolicy policy) {
    LocalRateLimiter limiter = LocalRateLimiter.builder(policy).timeSource(clock).build();
    latest.put(policy.name(), limiter);
    return limiter;
  }

  @Override
  public ManualClock clock() {
    return clock;
  }

  @Override
  public Object storedState(RateLimitPolicy policy, String key) {
    LocalRateLimiter limiter = latest.get(policy.name());
    if (limiter == null) {
      return List.of();
    }
    List<Object> seen = new ArrayList<>();
    long now = clock.now();
    seen.add(limiter.size());
    long reset = ManualClock.micros(limiter.peek(key, 0).resetAfter());
    for (long later : LATER) {
      clock.set(now + later);
      seen.add(absolute(limiter, key));
    }
    for (long before : new long[] {1, 0}) {
      clock.set(now + reset - before);
      seen.add(absolute(limiter, key));
    }
    clock.set(now);
    return seen;
  }

  private Object absolute(LocalRateLimiter limiter, String key) {
    Answer answer = Answer.of(limiter.peek(key, Limit.MAX_PERMITS));
    return List.of(clock.now() + answer.resetAfter(), answer);
  }

  @Override
  public boolean hasExpiry() {
    return false;
  }

  @Override
  public OptionalLong timeToLiveMicros(RateLimitPolicy policy, String key) {
    return OptionalLong.empty();
  }

  @Override
  public boolean sharesState() {
    return false;
  }

  @Override
  public void close() {
    latest.clear();
  }
}
