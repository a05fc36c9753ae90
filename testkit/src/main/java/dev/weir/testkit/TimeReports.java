package dev.weir.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weir.FixedWindow;
import dev.weir.LeakyBucket;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.SlidingWindowCounter;
import dev.weir.TokenBucket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reports on clocks, windows and expiry: B15, B18, B46, B50, B51, B52, B78, B88. */
abstract class TimeReports extends HarnessTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  @ParameterizedTest
  @ValueSource(longs = {1, 60, 3_600, 86_400})
  void b15ThePreviousWindowLivesAsLongAsItMatters(long windowSeconds) {
    Duration window = Duration.ofSeconds(windowSeconds);
    Duration sixtieth = Duration.ofNanos(window.toNanos() / 60 / 1_000 * 1_000);
    RateLimiter limiter = limiter(SlidingWindowCounter.of(100, window));
    ExpiryChecker expiry = new ExpiryChecker(store(), limiter);
    at(sixtieth);
    assertEquals(
        ManualClock.micros(window.multipliedBy(2).minus(sixtieth)),
        expiry.tryAcquire(KEY, 1).resetAfter());
    at(sixtieth.multipliedBy(59));
    assertTrue(expiry.tryAcquire(KEY, 99).allowed());
    at(window.plus(sixtieth.multipliedBy(2)));
    assertEquals(3, admitted(limiter, KEY, 100));
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b18SlowRatesDoNotLeak(Shape shape) {
    for (long seconds : new long[] {10, 86_400}) {
      Duration window = Duration.ofSeconds(seconds);
      RateLimiter limiter = limiter(shape.of(1, window));
      ExpiryChecker expiry = new ExpiryChecker(store(), limiter);
      String key = "per-" + seconds;
      at(0);
      assertTrue(expiry.tryAcquire(key, 1).allowed());
      long free = ManualClock.micros(shape.onePermitAfter(window));
      for (long percent : new long[] {1, 15, 50, 99}) {
        clock().set(ManualClock.MIDNIGHT + free / 100 * percent);
        Answer answer = expiry.tryAcquire(key, 1);
        assertEquals(free - free / 100 * percent, answer.retryAfter().toMicros());
      }
      clock().set(ManualClock.MIDNIGHT + free);
      assertTrue(expiry.tryAcquire(key, 1).allowed());
    }
  }

  @Test
  void b18OneEachSevenSecondsWithThreeAtOnce() {
    for (Limit limit :
        List.of(
            TokenBucket.smooth(3, 1, seconds(7)),
            TokenBucket.interval(3, 1, seconds(7)),
            LeakyBucket.policing(3, 1, seconds(7)))) {
      RateLimiter limiter = limiter(limit);
      ExpiryChecker expiry = new ExpiryChecker(store(), limiter);
      String key = limit.toString();
      at(0);
      assertEquals(3, admitted(limiter, key, 5));
      at(6.999_999);
      assertEquals(1, expiry.tryAcquire(key, 1).retryAfter().toMicros());
      at(7);
      assertEquals(21_000_000, expiry.tryAcquire(key, 1).resetAfter());
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b46SpacedCallsAreAllAdmitted(Shape shape) {
    RateLimiter limiter = limiter(shape.of(100, seconds(120)));
    for (int i = 0; i < 240; i++) {
      at(30.0 * i);
      allowed(limiter.tryAcquire(KEY));
    }
  }

  @Test
  void b46TheFirstChargeFixesTheWindowsEnd() {
    RateLimiter limiter = limiter(FixedWindow.of(3, seconds(120)));
    for (double time : new double[] {0, 60, 100}) {
      at(time);
      assertEquals(seconds(120 - time), allowed(limiter.tryAcquire(KEY)).resetAfter());
    }
    at(119.999_999);
    refused(limiter.tryAcquire(KEY), Duration.ofNanos(1_000));
    at(120);
    assertEquals(2, allowed(limiter.tryAcquire(KEY)).remaining());
  }

  @Test
  void b50AFixedWindowAdmitsTwiceItsLimitAroundABoundary() {
    RateLimiter limiter = limiter(FixedWindow.alignedToClock(5, Duration.ofHours(1)));
    at(3_599);
    assertEquals(5, admitted(limiter, KEY, 10));
    at(3_601);
    assertEquals(5, admitted(limiter, KEY, 10));
    at(3_602);
    refused(limiter.tryAcquire(KEY));
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b50NoAlgorithmAdmitsMoreThanItsBound(Shape shape) {
    for (long[] rhythm : new long[][] {{3, 1_000_000, 100_000}, {5, 3_600_000_000L, 999_983}}) {
      List<Step> steps = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        steps.add(new Step.Acquire(0, 1));
        steps.add(new Step.Acquire(0, i % 3));
        steps.add(new Step.Advance(i % 10 == 9 ? rhythm[1] - 10 * rhythm[2] : rhythm[2]));
      }
      Limit limit = shape.of(rhythm[0], Duration.ofNanos(rhythm[1] * 1_000));
      Trace trace =
          new Trace(
              RateLimitPolicy.of("rhythm-" + rhythm[0], limit),
              ManualClock.MIDNIGHT + rhythm[1] - 3,
              steps);
      RateLimiter limiter = store().limiter(trace.policy());
      EnvelopeChecker.check(trace.run(Subject.of(limiter), clock(), KEY));
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b51OneReadingDecidesEvenIfTheClockMovesMeanwhile(Shape shape) {
    for (Duration window : List.of(seconds(1), MINUTE, Duration.ofDays(1))) {
      RateLimiter limiter = limiter(shape.of(3, window));
      ManualClock modelClock = new ManualClock();
      ReferenceModel model = new ReferenceModel(limiter.policy(), modelClock);
      String key = "ticking-" + window;
      long size = ManualClock.micros(window);
      for (long offset : new long[] {-3, -2, -1, 0, 1, size - 2, size - 1, size, 2 * size - 1}) {
        clock().set(ManualClock.MIDNIGHT + offset);
        modelClock.set(ManualClock.MIDNIGHT + offset);
        clock().stepPerReading(size);
        Answer answer = Answer.of(limiter.tryAcquire(key));
        clock().stepPerReading(0);
        assertEquals(model.tryAcquire(key, 1), answer);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b52AZigzagClockMakesNoPermits(Shape shape) {
    RateLimiter limiter = limiter(shape.of(5, seconds(1)));
    at(10);
    assertEquals(5, admitted(limiter, KEY, 8));
    for (int i = 0; i < 100; i++) {
      at(i % 2 == 0 ? 5 : 10);
      refused(limiter.tryAcquire(KEY));
    }
    at(10.2);
    int earned =
        switch (shape) {
          case TOKEN_BUCKET_SMOOTH, LEAKY_BUCKET_POLICING, LEAKY_BUCKET_SHAPING -> 1;
          default -> 0;
        };
    assertEquals(earned, admitted(limiter, KEY, 2));
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b52AStepBackMakesTheWaitLongerByTheStepAndNoMore(Shape shape) {
    for (Duration step : List.of(seconds(0.5), Duration.ofHours(1), Duration.ofDays(365))) {
      RateLimiter limiter = limiter(shape.of(5, seconds(1)));
      String key = "back-" + step;
      at(0);
      allowed(limiter.tryAcquire(key, 5));
      Duration wait = refused(limiter.tryAcquire(key)).retryAfter().toDuration();
      clock().back(step);
      refused(limiter.tryAcquire(key), wait.plus(step));
      new HonestyChecker(limiter, clock()).check(key, 1, Answer.of(limiter.peek(key)));
      clock().advance(wait.plus(step));
      allowed(limiter.tryAcquire(key));
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b52ALeapAheadAndBackIsSurvived(Shape shape) {
    RateLimiter limiter = limiter(shape.of(5, seconds(1)));
    allowed(limiter.tryAcquire(KEY, 3));
    clock().advance(Duration.ofDays(365));
    allowed(limiter.tryAcquire(KEY, 5));
    clock().back(Duration.ofDays(365));
    // The state keeps the latest time it has seen: the wait is exact, if long.
    Answer answer = Answer.of(refused(limiter.tryAcquire(KEY)));
    new HonestyChecker(limiter, clock()).check(KEY, 1, answer);
    clock().advance(answer.retryAfter().toMicros());
    allowed(limiter.tryAcquire(KEY));
  }

  @Test
  void b78APeekIsNoAnchor() {
    RateLimiter limiter = limiter(TokenBucket.interval(5, 5, MINUTE));
    at(0);
    limiter.peek(KEY);
    allowed(limiter.tryAcquire(KEY, 0));
    at(31);
    assertEquals(MINUTE, allowed(limiter.tryAcquire(KEY)).resetAfter());
    at(40);
    assertEquals(4, admitted(limiter, KEY, 5));
    at(60);
    refused(limiter.tryAcquire(KEY), seconds(31));
    at(90.999_999);
    refused(limiter.tryAcquire(KEY), Duration.ofNanos(1_000));
    at(91);
    assertEquals(5, admitted(limiter, KEY, 8));
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b78APeekMovesNoAnchorOfAnyAlgorithm(Shape shape) {
    RateLimiter peeked = limiter(shape.of(5, MINUTE));
    for (double time : new double[] {0, 11, 31, 40, 60, 75, 91, 119, 151}) {
      at(time);
      peeked.peek("peeked");
      refused(peeked.peek("peeked", 6));
      long permits = time >= 31 ? 1 : 0;
      assertEquals(
          Answer.of(peeked.tryAcquire("alone", permits)),
          Answer.of(peeked.tryAcquire("peeked", permits)));
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b88WindowsSlideAsTheModelDoes(Shape shape) {
    for (long windowSeconds : new long[] {60, 600}) {
      RateLimiter limiter = limiter(shape.of(9, Duration.ofSeconds(windowSeconds)));
      ManualClock modelClock = new ManualClock();
      ReferenceModel model = new ReferenceModel(limiter.policy(), modelClock);
      String key = "sliding-" + windowSeconds;
      for (int i = 0; i < 92; i++) {
        at(6.5 * i);
        modelClock.set(clock().now());
        assertEquals(model.tryAcquire(key, 1), Answer.of(limiter.tryAcquire(key)));
      }
      clock().advance(Duration.ofSeconds(windowSeconds * 7 / 2));
      assertEquals(9, admitted(limiter, key, 20));
    }
  }
}
