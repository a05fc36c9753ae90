package dev.weir.testkit;

import dev.weir.CalendarUnit;
import dev.weir.CalendarWindow;
import dev.weir.Concurrency;
import dev.weir.FixedWindow;
import dev.weir.LeakyBucket;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy.NamedLimit;
import dev.weir.SlidingWindowCounter;
import dev.weir.SlidingWindowLog;
import dev.weir.TokenBucket;
import dev.weir.TokenBucket.Refill;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks that over every interval of a trace no more was admitted than the contract's table allows,
 * whatever the algorithm did on the way. Failures are {@link AssertionError}s.
 *
 * <p>Time here is the store's: a reading earlier than the latest charge counts as that one. The
 * trace must keep its policy and reset no key.
 */
public final class EnvelopeChecker {

  private EnvelopeChecker() {}

  /**
   * An admitted call.
   *
   * @param time when
   * @param permits what it was charged
   * @param turn when its delay is over
   */
  private record Admitted(long time, long permits, long turn) {}

  /** Checks every key of what was observed. */
  public static void check(List<Trace.Observation> observations) {
    for (int key = 0; key < Trace.MAX_KEYS; key++) {
      List<Admitted> admitted = admitted(observations, key);
      if (!admitted.isEmpty()) {
        for (NamedLimit named : observations.get(0).policy().limits()) {
          check(named.limit(), admitted);
        }
      }
    }
  }

  private static List<Admitted> admitted(List<Trace.Observation> observations, int key) {
    List<Admitted> admitted = new ArrayList<>();
    long latest = 0;
    for (Trace.Observation observation : observations) {
      if (observation.key() == key && observation.charged() > 0) {
        latest = Math.max(latest, observation.atMicros());
        long turn = observation.atMicros() + observation.answer().delay();
        admitted.add(new Admitted(latest, observation.charged(), turn));
      }
    }
    return admitted;
  }

  private static void check(Limit limit, List<Admitted> admitted) {
    for (int i = 0; i < admitted.size(); i++) {
      BigInteger sum = BigInteger.ZERO;
      for (int j = i; j < admitted.size(); j++) {
        sum = sum.add(BigInteger.valueOf(admitted.get(j).permits()));
        long length = admitted.get(j).time() - admitted.get(i).time();
        BigInteger bound = bound(limit, length);
        if (sum.compareTo(bound) > 0) {
          throw new AssertionError(
              "%s admitted %s in %d us from %d us on, and at most %s may be"
                  .formatted(limit, sum, length, admitted.get(i).time(), bound));
        }
      }
    }
    if (limit instanceof LeakyBucket bucket && bucket.mode() == LeakyBucket.Mode.SHAPING) {
      checkTurns(bucket, admitted);
    }
    if (limit instanceof FixedWindow window) {
      checkWindows(
          limit,
          ManualClock.micros(window.window()),
          window.alignment() == FixedWindow.Alignment.CLOCK,
          admitted);
    }
    if (limit instanceof CalendarWindow window) {
      checkWindows(window, admitted);
    }
    if (limit instanceof SlidingWindowCounter counter) {
      checkWindows(limit, ManualClock.micros(counter.window()), true, admitted);
    }
  }

  /** The most that may be admitted from an instant to one {@code length} later, both included. */
  static BigInteger bound(Limit limit, long length) {
    long capacity = limit.capacity();
    return switch (limit.kind()) {
      case TOKEN_BUCKET -> {
        TokenBucket bucket = (TokenBucket) limit;
        long period = ManualClock.micros(bucket.refillPeriod());
        yield bucket.refill() == Refill.SMOOTH
            ? rated(capacity, bucket.refillTokens(), length, period)
            : big(capacity).add(big(bucket.refillTokens()).multiply(big(divCeil(length, period))));
      }
      case LEAKY_BUCKET -> {
        LeakyBucket bucket = (LeakyBucket) limit;
        yield rated(
            capacity, bucket.leakPermits(), length, ManualClock.micros(bucket.leakPeriod()));
      }
      case FIXED_WINDOW -> {
        long window = ManualClock.micros(((FixedWindow) limit).window());
        yield big(capacity).multiply(big(length / window + 2));
      }
      case CALENDAR_WINDOW -> {
        long window = shortest(((CalendarWindow) limit).unit());
        yield big(capacity).multiply(big(length / window + 2));
      }
      case SLIDING_WINDOW_LOG -> {
        long window = ManualClock.micros(((SlidingWindowLog) limit).window());
        yield big(capacity).multiply(big(length / window + 1));
      }
      case CONCURRENCY -> {
        // without releases what is held is what was admitted within a lease
        long lease = ManualClock.micros(((Concurrency) limit).lease());
        yield big(capacity).multiply(big(length / lease + 1));
      }
      case SLIDING_WINDOW_COUNTER -> {
        long window = ManualClock.micros(((SlidingWindowCounter) limit).window());
        yield inOneWindow(capacity, window).multiply(big(length / window + 1));
      }
    };
  }

  /**
   * The sliding counter's own bound for one window's length: {@code limit + floor(limit x (window -
   * 2 us) / window)}. What is admitted until e into a window leaves at least {@code ceil(x (window
   * - e) / window)} of the x that the window before took, and the worst e is the last but one.
   */
  static BigInteger inOneWindow(long limit, long window) {
    return big(limit).add(big(limit).multiply(big(window - 2)).divide(big(window)));
  }

  private static BigInteger rated(long capacity, long permits, long length, long period) {
    return big(capacity).add(big(permits).multiply(big(length)).divide(big(period)));
  }

  /** Each window, of the clock or from the first charge outside the last, admits the limit. */
  private static void checkWindows(
      Limit limit, long window, boolean byClock, List<Admitted> admitted) {
    long start = Long.MIN_VALUE;
    long sum = 0;
    for (Admitted call : admitted) {
      if (start == Long.MIN_VALUE || call.time() >= start + window) {
        start = byClock ? call.time() - call.time() % window : call.time();
        sum = 0;
      }
      sum += call.permits();
      if (sum > limit.capacity()) {
        throw new AssertionError(
            "%s admitted %d in the window from %d us on".formatted(limit, sum, start));
      }
    }
  }

  /** A length that no such window has been below since 1970, whatever was done to clocks. */
  private static long shortest(CalendarUnit unit) {
    return ManualClock.micros(
        switch (unit) {
          case HOUR -> Duration.ofMinutes(15);
          case DAY -> Duration.ofHours(20);
          case WEEK, WEEK_FROM_SUNDAY -> Duration.ofDays(5);
          case MONTH -> Duration.ofDays(27);
          case YEAR -> Duration.ofDays(364);
        });
  }

  /** Each window of the calendar admits the limit. */
  private static void checkWindows(CalendarWindow limit, List<Admitted> admitted) {
    Map<Object, Long> sums = new HashMap<>();
    for (Admitted call : admitted) {
      Object window = ReferenceCalendar.name(limit, call.time());
      if (sums.merge(window, call.permits(), Long::sum) > limit.capacity()) {
        throw new AssertionError("%s admitted %d in %s".formatted(limit, sums.get(window), window));
      }
    }
  }

  /** No call's turn comes before all that was admitted before it has leaked at the leak rate. */
  private static void checkTurns(LeakyBucket bucket, List<Admitted> admitted) {
    BigInteger period = big(ManualClock.micros(bucket.leakPeriod()));
    for (int i = 0; i < admitted.size(); i++) {
      BigInteger before = BigInteger.ZERO;
      for (int j = i + 1; j < admitted.size(); j++) {
        before = before.add(big(admitted.get(j - 1).permits()));
        // a turn is rounded up to a microsecond, so two of them may be nearer by less than one
        BigInteger apart = big(admitted.get(j).turn() - admitted.get(i).turn() + 1);
        if (before.multiply(period).compareTo(apart.multiply(big(bucket.leakPermits()))) >= 0) {
          throw new AssertionError(
              "%s released %s permits in %s us from %d us on"
                  .formatted(bucket, before, apart, admitted.get(i).turn()));
        }
      }
    }
  }

  private static long divCeil(long dividend, long divisor) {
    return (dividend + divisor - 1) / divisor;
  }

  private static BigInteger big(long value) {
    return BigInteger.valueOf(value);
  }
}
