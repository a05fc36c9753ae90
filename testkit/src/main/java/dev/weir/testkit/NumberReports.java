package dev.weir.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weir.FixedWindow;
import dev.weir.LeakyBucket;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.SlidingWindowCounter;
import dev.weir.SlidingWindowLog;
import dev.weir.TokenBucket;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reports on numbers: B16, B42, B44, B48, B72. */
abstract class NumberReports extends HarnessTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b16ExactlyTheCapacityAtOneInstantOfAnyEpoch(Shape shape) {
    for (long start : new long[] {0, 1, ManualClock.MIDNIGHT + 123_457, ManualClock.LATEST / 2}) {
      clock().set(start);
      RateLimiter fast = limiter(shape.of(1_000, Duration.ofMillis(1)));
      assertEquals(1_000, admitted(fast, "fast-" + start, 1_200));
      RateLimiter huge = limiter(shape.of(Limit.MAX_PERMITS, Duration.ofDays(3_653)));
      String key = "huge-" + start;
      assertEquals(1, allowed(huge.tryAcquire(key, Limit.MAX_PERMITS - 1)).remaining());
      allowed(huge.tryAcquire(key));
      refused(huge.tryAcquire(key));
    }
  }

  @Test
  void b16RemainingIsExactAtHighRates() {
    for (Limit limit :
        List.of(
            TokenBucket.gcra(1_000_000, SECOND, 1),
            TokenBucket.gcra(1_000_000, SECOND, 1_000),
            TokenBucket.smooth(65_535, 65_535, SECOND),
            LeakyBucket.shaping(65_535, 65_535, SECOND))) {
      RateLimiter limiter = limiter(limit);
      ManualClock modelClock = new ManualClock();
      ReferenceModel model = new ReferenceModel(limiter.policy(), modelClock);
      String key = limit.toString();
      at(0);
      for (int i = 0; i < 20; i++) {
        for (long permits : new long[] {limit.capacity(), 1, limit.capacity() / 2}) {
          modelClock.set(clock().now());
          assertEquals(model.tryAcquire(key, permits), Answer.of(limiter.tryAcquire(key, permits)));
        }
        clock().advance(i % 2 == 0 ? 100_000 : 7);
      }
    }
  }

  @Test
  void b42PermitsOutOfRangeAreRefusedWithTheBound() {
    for (long bad : new long[] {0, -1, Long.MIN_VALUE, Limit.MAX_PERMITS + 1, Long.MAX_VALUE}) {
      requireBound(() -> TokenBucket.smooth(bad, 1, SECOND), "1000000000");
      requireBound(() -> TokenBucket.smooth(5, bad, SECOND), "1000000000");
      requireBound(() -> TokenBucket.interval(bad, 1, SECOND), "1000000000");
      requireBound(() -> TokenBucket.interval(5, bad, SECOND), "1000000000");
      requireBound(() -> FixedWindow.of(bad, SECOND), "1000000000");
      requireBound(() -> FixedWindow.alignedToClock(bad, SECOND), "1000000000");
      requireBound(() -> SlidingWindowLog.of(bad, SECOND), "1000000000");
      requireBound(() -> SlidingWindowCounter.of(bad, SECOND), "1000000000");
      requireBound(() -> LeakyBucket.policing(bad, 1, SECOND), "1000000000");
      requireBound(() -> LeakyBucket.shaping(5, bad, SECOND), "1000000000");
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b42PeriodsOutOfRangeAreRefusedWithTheBound(Shape shape) {
    for (Duration bad :
        List.of(
            Duration.ZERO,
            Duration.ofNanos(1),
            Duration.ofNanos(999),
            Duration.ofNanos(999_999),
            Duration.ofSeconds(-1),
            Duration.ofSeconds(Long.MIN_VALUE),
            Duration.ofSeconds(Long.MAX_VALUE),
            ChronoUnit.FOREVER.getDuration(),
            Duration.ofDays(3_653).plusNanos(1_000))) {
      requireBound(() -> shape.of(5, bad), "3653 days");
    }
    requireBound(() -> shape.of(5, Duration.ofMillis(1).plusNanos(1)), "whole number of micro");
  }

  private static void requireBound(org.junit.jupiter.api.function.Executable maker, String bound) {
    String message =
        String.valueOf(assertThrows(IllegalArgumentException.class, maker).getMessage());
    assertTrue(message.contains(bound), message);
  }

  @Test
  void b42ARateBelowOnePerSecondIsExact() {
    RateLimiter limiter = limiter(TokenBucket.smooth(1, 2, seconds(10)));
    allowed(limiter.tryAcquire(KEY));
    refused(limiter.tryAcquire(KEY), seconds(5));
  }

  @Test
  void b42ABucketThatWouldTakeCenturiesIsRefused() {
    requireBound(() -> TokenBucket.smooth(1_000_000, 1, Duration.ofDays(1)), "days");
    requireBound(() -> TokenBucket.interval(1_000_000, 1, Duration.ofDays(1)), "days");
    requireBound(() -> LeakyBucket.shaping(Limit.MAX_PERMITS, 1, SECOND.multipliedBy(9)), "days");
  }

  @ParameterizedTest
  @ValueSource(longs = {900, 1_100, 1_500, 1_999, 2_001, 10_000, 1_000_000})
  void b44RatesAboveAThousandPerSecond(long rate) {
    long offers = Math.min(3 * rate, 3_000);
    for (Limit limit :
        List.of(TokenBucket.gcra(rate, SECOND, 100), LeakyBucket.policing(100, rate, SECOND))) {
      RateLimiter limiter = limiter(limit);
      String key = limit.toString();
      at(0);
      long admitted = 0;
      for (long i = 0; i < offers; i++) {
        clock().set(ManualClock.MIDNIGHT + i * 1_000_000 / (3 * rate));
        admitted += limiter.tryAcquire(key).allowed() ? 1 : 0;
      }
      long earned = (clock().now() - ManualClock.MIDNIGHT) * rate / 1_000_000;
      assertTrue(
          admitted >= 100 + earned - 1 && admitted <= 100 + earned,
          () -> limit + " should have admitted " + (100 + earned));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {900, 1_100, 1_500, 1_999, 2_001, 10_000, 1_000_000})
  void b44AnObedientClientOfABucketOfOneLosesLessThanAMicrosecondEach(long rate) {
    for (Limit limit :
        List.of(TokenBucket.gcra(rate, SECOND, 1), LeakyBucket.policing(1, rate, SECOND))) {
      RateLimiter limiter = limiter(limit);
      String key = limit.toString();
      at(0);
      long period = (1_000_000 + rate - 1) / rate;
      for (int i = 0; i < 300; i++) {
        allowed(limiter.tryAcquire(key));
        refused(limiter.tryAcquire(key), Duration.ofNanos(period * 1_000));
        clock().advance(period);
      }
    }
  }

  @Test
  void b44TheSumOverAnHourDoesNotDrift() {
    for (long[] rate : new long[][] {{7, 1}, {3, 1}, {1, 7}, {7, 3}, {1_000_000, 7}}) {
      Duration period = Duration.ofSeconds(rate[1]);
      for (Limit limit :
          List.of(
              TokenBucket.smooth(100_000_000, rate[0], period),
              LeakyBucket.shaping(100_000_000, rate[0], period))) {
        RateLimiter limiter = limiter(limit);
        String key = limit.toString();
        at(0);
        allowed(limiter.tryAcquire(key, limit.capacity()));
        long sum = 0;
        while (clock().now() < ManualClock.MIDNIGHT + 3_600_000_000L) {
          clock().advance(13_700_003);
          long earned = limiter.peek(key).remaining();
          sum += earned;
          allowed(limiter.tryAcquire(key, earned));
        }
        long elapsed = clock().now() - ManualClock.MIDNIGHT;
        assertEquals(elapsed * rate[0] / (rate[1] * 1_000_000), sum, limit::toString);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b48ExpiryIsInTheRightUnitAtAnySize(Shape shape) {
    for (Duration window :
        List.of(
            Duration.ofMillis(1),
            Duration.ofNanos(1_001_000),
            Duration.ofNanos(333_333_000),
            SECOND,
            Duration.ofDays(1),
            Duration.ofDays(400),
            Duration.ofDays(3_653))) {
      RateLimiter limiter = limiter(shape.of(3, window));
      ExpiryChecker expiry = new ExpiryChecker(store(), limiter);
      String key = window.toString();
      at(0);
      long most = 2 * ManualClock.micros(window);
      for (int i = 0; i < 4; i++) {
        Answer answer = expiry.tryAcquire(key, 1);
        assertEquals(i < 3, answer.allowed());
        assertTrue(answer.resetAfter() > 0 && answer.resetAfter() <= most, answer::toString);
      }
    }
  }

  @Test
  void b48AMillionTokensAtOnePerHour() {
    for (Limit limit :
        List.of(
            TokenBucket.smooth(1_000_000, 1, Duration.ofHours(1)),
            TokenBucket.interval(1_000_000, 1, Duration.ofHours(1)),
            LeakyBucket.policing(1_000_000, 1, Duration.ofHours(1)))) {
      RateLimiter limiter = limiter(limit);
      ExpiryChecker expiry = new ExpiryChecker(store(), limiter);
      Answer answer = expiry.tryAcquire(limit.toString(), 1_000_000);
      assertEquals(3_600_000_000_000_000L, answer.resetAfter());
    }
  }

  @Test
  void b48ThreePerSecondIsAThirdRoundedUp() {
    RateLimiter limiter = limiter(TokenBucket.smooth(1, 3, SECOND));
    ExpiryChecker expiry = new ExpiryChecker(store(), limiter);
    assertEquals(333_334, expiry.tryAcquire(KEY, 1).resetAfter());
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b72ABurstIsTheCapacityAndNotOneMore(Shape shape) {
    RateLimiter limiter = limiter(shape.of(17, seconds(30)));
    assertEquals(17, admitted(limiter, KEY, 20));
    int later = 0;
    for (int i = 1; i < 60; i++) {
      at(0.5 * i);
      later += limiter.tryAcquire(KEY).allowed() ? 1 : 0;
    }
    assertTrue(later <= 17, "then " + later);
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b72TheWholeCapacityHasAFiniteWait(Shape shape) {
    RateLimiter limiter = limiter(shape.of(5, seconds(5)));
    assertEquals(5, admitted(limiter, KEY, 5));
    long wait = refused(limiter.tryAcquire(KEY, 5)).retryAfter().toMicros();
    clock().advance(wait);
    allowed(limiter.tryAcquire(KEY, 5));
  }

  @Test
  void b72TokenBucketGcraAndLeakyBucketAgreeOnEveryStep() {
    TraceGenerator generator = new TraceGenerator(Seed.get());
    LimitGenerator limits = new LimitGenerator(new java.util.Random(Seed.get()));
    for (int i = 0; i < 40; i++) {
      TokenBucket bucket = (TokenBucket) limits.limit(Shape.TOKEN_BUCKET_SMOOTH);
      Limit gcra =
          TokenBucket.gcra(bucket.refillTokens(), bucket.refillPeriod(), bucket.capacity());
      Limit leaky =
          LeakyBucket.policing(bucket.capacity(), bucket.refillTokens(), bucket.refillPeriod());
      assertEquals(bucket, gcra);
      Trace trace = generator.nextUnchanged(named("same", bucket), 40);
      List<?> asBucket = answers(trace, named("same", bucket), "bucket-" + i);
      assertEquals(asBucket, answers(trace, named("same", gcra), "gcra-" + i));
      assertEquals(asBucket, answers(trace, named("same", leaky), "leaky-" + i));
    }
  }

  private static RateLimitPolicy named(String name, Limit limit) {
    return RateLimitPolicy.builder("equal").limit(name, limit).build();
  }

  private List<Answer> answers(Trace trace, RateLimitPolicy policy, String keys) {
    return new Trace(policy, trace.startMicros(), trace.steps())
        .run(Subject.of(store().limiter(policy)), clock(), keys).stream()
            .map(Trace.Observation::answer)
            .toList();
  }
}
