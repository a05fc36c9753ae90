package dev.weir.testkit;

import dev.weir.Decision;
import dev.weir.RateLimiter;

/**
 * Asks a limiter and checks that what must not write did not: a look, a cost of 0, a refusal leave
 * every stored byte and the expiry as they were. Failures are {@link AssertionError}s.
 */
public final class PurityChecker extends LimiterSubject {

  private final LimiterHarness harness;
  private final RateLimiter limiter;

  /** A checker of a limiter of the harness. */
  public PurityChecker(LimiterHarness harness, RateLimiter limiter) {
    super(limiter);
    this.harness = harness;
    this.limiter = limiter;
  }

  @Override
  public Answer tryAcquire(String key, long permits) {
    Object before = state(key);
    Decision decision = limiter.tryAcquire(key, permits);
    if (permits == 0 || !decision.allowed()) {
      requireSame(before, key, "tryAcquire(key, " + permits + ")", decision);
    }
    return noted(key, decision);
  }

  @Override
  public Answer peek(String key, long permits) {
    Object before = state(key);
    Decision decision = limiter.peek(key, permits);
    requireSame(before, key, "peek(key, " + permits + ")", decision);
    return Answer.of(decision);
  }

  private Object state(String key) {
    return harness.storedState(limiter.policy(), key);
  }

  private void requireSame(Object before, String key, String call, Decision decision) {
    Object after = state(key);
    if (!before.equals(after)) {
      throw new AssertionError(
          "%s wrote: %s%n  before: %s%n  after:  %s".formatted(call, decision, before, after));
    }
  }
}
