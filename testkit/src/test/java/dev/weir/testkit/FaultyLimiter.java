package dev.weir.testkit;

import dev.weir.Decision;
import dev.weir.LimitStatus;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.Source;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A limiter with one fault, for tests of the checkers. */
record FaultyLimiter(RateLimiter limiter, Fault fault) implements RateLimiter {

  /** What is wrong. */
  enum Fault {
    WAITS_A_MICROSECOND_SHORT,
    WAITS_A_MICROSECOND_LONG,
    REMAINING_ONE_TOO_MANY,
    RESETS_TOO_EARLY,
    REFUSALS_ARE_CHARGED,
    LOOKS_ARE_CHARGED,
    ADMITS_ONE_TOO_MANY
  }

  @Override
  public RateLimitPolicy policy() {
    return limiter.policy();
  }

  @Override
  public void changePolicy(RateLimitPolicy policy) {
    limiter.changePolicy(policy);
  }

  @Override
  public Decision tryAcquire(String key, long permits) {
    Decision decision = limiter.tryAcquire(key, permits);
    if (decision.allowed() || permits > decision.limit()) {
      return altered(decision);
    }
    if (fault == Fault.REFUSALS_ARE_CHARGED) {
      limiter.tryAcquire(key, decision.remaining());
    }
    if (fault == Fault.ADMITS_ONE_TOO_MANY && decision.remaining() + 1 == permits) {
      return limiter.tryAcquire(key, permits - 1);
    }
    return altered(decision);
  }

  @Override
  public Decision peek(String key, long permits) {
    return fault == Fault.LOOKS_ARE_CHARGED
        ? limiter.tryAcquire(key, permits)
        : altered(limiter.peek(key, permits));
  }

  private Decision altered(Decision decision) {
    List<LimitStatus> limits = decision.limits();
    long[] verdicts = new long[limits.size() * Decision.VERDICT_LENGTH];
    for (int i = 0; i < limits.size(); i++) {
      LimitStatus status = limits.get(i);
      long wait = status.retryAfter().isNever() ? -1 : status.retryAfter().toMicros();
      long remaining = status.remaining();
      long reset = ManualClock.micros(status.resetAfter());
      int at = i * Decision.VERDICT_LENGTH;
      verdicts[at] = remaining;
      verdicts[at + 1] = wait;
      verdicts[at + 2] = ManualClock.micros(status.nextPermitAfter());
      verdicts[at + 3] = reset;
      switch (fault) {
        case WAITS_A_MICROSECOND_SHORT -> verdicts[at + 1] = wait > 1 ? wait - 1 : wait;
        case WAITS_A_MICROSECOND_LONG -> verdicts[at + 1] = wait > 0 ? wait + 1 : wait;
        case REMAINING_ONE_TOO_MANY ->
            verdicts[at] = Math.min(remaining + 1, status.limit().capacity());
        case RESETS_TOO_EARLY -> verdicts[at + 3] = reset > 1 ? reset - 1 : reset;
        default -> {}
      }
    }
    return Decision.of(decision.policy(), Source.MEMORY, decision.permits(), verdicts);
  }

  @Override
  public CompletableFuture<Decision> tryAcquireAsync(String key, long permits) {
    return CompletableFuture.completedFuture(tryAcquire(key, permits));
  }

  @Override
  public CompletableFuture<Decision> peekAsync(String key, long permits) {
    return CompletableFuture.completedFuture(peek(key, permits));
  }

  @Override
  public void reset(String key) {
    limiter.reset(key);
  }

  @Override
  public CompletableFuture<Void> resetAsync(String key) {
    return limiter.resetAsync(key);
  }
}
