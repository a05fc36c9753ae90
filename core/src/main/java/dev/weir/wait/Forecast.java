package dev.weir.wait;

import dev.weir.AlgorithmKind;
import dev.weir.Decision;
import dev.weir.FixedWindow;
import dev.weir.LeakyBucket;
import dev.weir.Limit;
import dev.weir.LimitStatus;
import dev.weir.SlidingWindowCounter;
import dev.weir.SlidingWindowLog;
import dev.weir.TokenBucket;
import java.math.BigInteger;
import java.time.Duration;

/**
 * What the last answer for a key says of the future: when, at the earliest, a number of permits can
 * have been admitted one caller after the other. It is never later than what happens, whatever
 * others charge: their charges only make it later.
 *
 * @param decision the last answer
 * @param askedAtMicros when the store was asked for it, by the timer; the store decided no earlier
 */
record Forecast(Decision decision, long askedAtMicros) {

  private static final BigInteger LATEST = BigInteger.valueOf(1L << 60);

  /** Whether no time is long enough for a call of that cost. */
  boolean neverHolds(long permits) {
    // While the store does not decide, it is not known what it will hold.
    return !decision.source().isDegraded()
        && decision.policy().limits().stream()
            .anyMatch(named -> permits > named.limit().capacity());
  }

  /**
   * The earliest instant at which so many permits can have been admitted since the answer, by the
   * timer.
   */
  long earliestMicros(long permits) {
    long least = 0;
    if (!decision.source().isDegraded()) {
      for (LimitStatus status : decision.limits()) {
        least = Math.max(least, leastMicros(status, permits));
      }
    }
    return plus(askedAtMicros, least);
  }

  /**
   * The least wait of a refused call: as long as it is told by limits whose permits come back by
   * time alone. Permits that are held can be given back at any time, but not at once.
   */
  static long leastWaitMicros(Decision refusal) {
    long least = 1;
    for (LimitStatus status : refusal.limits()) {
      if (status.limit().kind() != AlgorithmKind.CONCURRENCY) {
        least = Math.max(least, status.retryAfter().toMicros());
      }
    }
    return least;
  }

  private static long leastMicros(LimitStatus status, long permits) {
    if (status.limit().kind() == AlgorithmKind.CONCURRENCY) {
      return 0;
    }
    long missing = permits - status.remaining();
    if (missing <= 0) {
      return 0;
    }
    return plus(micros(status.nextPermitAfter()), afterTheFirst(status.limit(), missing - 1));
  }

  /**
   * The least time from the instant at which one more permit is free until so many further ones
   * have become free; every quotient is rounded down.
   */
  private static long afterTheFirst(Limit limit, long further) {
    return switch (limit.kind()) {
      case TOKEN_BUCKET -> refilled((TokenBucket) limit, further);
      case LEAKY_BUCKET ->
          timesDiv(
              further, ((LeakyBucket) limit).leakPeriod(), ((LeakyBucket) limit).leakPermits());
      case FIXED_WINDOW -> timesDiv(further / limit.capacity(), ((FixedWindow) limit).window(), 1);
      // No interval as long as the window admits more than the limit.
      case SLIDING_WINDOW_LOG ->
          timesDiv(further / limit.capacity(), ((SlidingWindowLog) limit).window(), 1);
      // Each window of the clock admits the limit at most, and the first may be about to end.
      case SLIDING_WINDOW_COUNTER ->
          timesDiv(
              Math.max(0, further / limit.capacity() - 1),
              ((SlidingWindowCounter) limit).window(),
              1);
      case CALENDAR_WINDOW, CONCURRENCY -> 0;
    };
  }

  private static long refilled(TokenBucket bucket, long further) {
    return switch (bucket.refill()) {
      case SMOOTH -> timesDiv(further, bucket.refillPeriod(), bucket.refillTokens());
      case INTERVAL -> {
        long perRefill = Math.min(bucket.refillTokens(), bucket.capacity());
        yield timesDiv(further / perRefill, bucket.refillPeriod(), 1);
      }
    };
  }

  /** floor(count x period / divisor) in microseconds, or 2^60 if that is less. */
  private static long timesDiv(long count, Duration period, long divisor) {
    return BigInteger.valueOf(count)
        .multiply(BigInteger.valueOf(micros(period)))
        .divide(BigInteger.valueOf(divisor))
        .min(LATEST)
        .longValueExact();
  }

  private static long micros(Duration duration) {
    return duration.getSeconds() * 1_000_000 + duration.getNano() / 1_000;
  }

  /** The sum of two times of which the second is not negative, or the greatest there is. */
  static long plus(long micros, long more) {
    long sum = micros + more;
    return sum < micros ? Long.MAX_VALUE : sum;
  }
}
