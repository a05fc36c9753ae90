package dev.weir.testkit;

import dev.weir.Charge;
import dev.weir.Decision;
import dev.weir.LimitStatus;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.Settlement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongUnaryOperator;

/** A limiter that does as an intact one does, for subclasses to break. */
class BrokenLimiter implements RateLimiter {

  /** The numbers of a verdict, as {@link Decision#of} has them. */
  enum Part {
    REMAINING,
    WAIT,
    NEXT,
    RESET,
    DELAY
  }

  private final RateLimiter intact;

  BrokenLimiter(RateLimiter intact) {
    this.intact = intact;
  }

  final RateLimiter intact() {
    return intact;
  }

  @Override
  public RateLimitPolicy policy() {
    return intact.policy();
  }

  @Override
  public void changePolicy(RateLimitPolicy policy) {
    intact.changePolicy(policy);
  }

  @Override
  public Decision tryAcquire(String key, long permits) {
    return intact.tryAcquire(key, permits);
  }

  @Override
  public final CompletableFuture<Decision> tryAcquireAsync(String key, long permits) {
    return CompletableFuture.completedFuture(tryAcquire(key, permits));
  }

  @Override
  public final CompletableFuture<Decision> acquireAsync(
      String key, long permits, Duration timeout) {
    return intact.acquireAsync(key, permits, timeout);
  }

  @Override
  public Decision peek(String key, long permits) {
    return intact.peek(key, permits);
  }

  @Override
  public final CompletableFuture<Decision> peekAsync(String key, long permits) {
    return CompletableFuture.completedFuture(peek(key, permits));
  }

  @Override
  public CompletableFuture<Decision> chargeAsync(String key, long permits) {
    return intact.chargeAsync(key, permits);
  }

  @Override
  public CompletableFuture<Decision> refundAsync(String key, long permits) {
    return intact.refundAsync(key, permits);
  }

  @Override
  public CompletableFuture<Decision> refundAsync(String key, Charge charge) {
    return intact.refundAsync(key, charge);
  }

  @Override
  public CompletableFuture<Reservation> reserveAsync(String key, long permits, Duration life) {
    return intact.reserveAsync(key, permits, life);
  }

  @Override
  public CompletableFuture<Settlement> settleAsync(String key, String id, long permits) {
    return intact.settleAsync(key, id, permits);
  }

  @Override
  public void reset(String key) {
    intact.reset(key);
  }

  @Override
  public final CompletableFuture<Void> resetAsync(String key) {
    reset(key);
    return CompletableFuture.completedFuture(null);
  }

  /** The decision with one kind of its numbers changed, of every limit. */
  static Decision altered(Decision decision, Part part, LongUnaryOperator change) {
    long[] verdicts = new long[decision.limits().size() * Decision.VERDICT_LENGTH];
    int at = 0;
    for (LimitStatus status : decision.limits()) {
      for (Part each : Part.values()) {
        long number = number(decision, status, each);
        verdicts[at++] = each == part ? change.applyAsLong(number) : number;
      }
    }
    return Decision.of(decision.policy(), decision.source(), decision.permits(), verdicts);
  }

  private static long number(Decision decision, LimitStatus status, Part part) {
    return switch (part) {
      case REMAINING -> status.remaining();
      case WAIT -> status.retryAfter().isNever() ? -1 : status.retryAfter().toMicros();
      case NEXT -> ManualClock.micros(status.nextPermitAfter());
      case RESET -> ManualClock.micros(status.resetAfter());
      case DELAY -> ManualClock.micros(decision.delay());
    };
  }
}
