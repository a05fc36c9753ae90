package dev.weir.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weir.Decision;
import dev.weir.FixedWindow;
import dev.weir.RateLimiter;
import dev.weir.SlidingWindowCounter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reports on who is charged what: B05, B07, B19, B33, B35, B41, B63. */
abstract class ChargeReports extends HarnessTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b05ARefusedCostTakesNothing(Shape shape) {
    RateLimiter limiter = limiter(shape.of(10, MINUTE));
    assertEquals(2, allowed(limiter.tryAcquire(KEY, 8)).remaining());
    assertEquals(2, refused(limiter.tryAcquire(KEY, 5)).remaining());
    assertEquals(1, allowed(limiter.tryAcquire(KEY)).remaining());
    assertEquals(0, allowed(limiter.tryAcquire(KEY)).remaining());
    assertEquals(0, refused(limiter.tryAcquire(KEY)).remaining());
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b05AnAbsurdCostTakesNothingAndExtendsNothing(Shape shape) {
    RateLimiter limiter = limiter(shape.of(10, MINUTE));
    ExpiryChecker expiry = new ExpiryChecker(store(), limiter);
    Answer refused = expiry.tryAcquire(KEY, 1_000_000);
    assertTrue(refused.retryAfter().isNever());
    Answer answer = expiry.tryAcquire(KEY, 1);
    assertEquals(9, answer.remaining());
    assertTrue(answer.resetAfter() <= 2 * ManualClock.micros(MINUTE));
    assertEquals(9, expiry.tryAcquire(KEY, 1_000_000).remaining());
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b07AClientBlockedByItsOwnLimitDrainsNoOther(Shape shape) {
    for (Shape other : Shape.values()) {
      String key = "user:" + other;
      for (boolean ownFirst : new boolean[] {true, false}) {
        RateLimiter limiter =
            ownFirst
                ? limiter(shape.of(1, MINUTE), other.of(10, MINUTE))
                : limiter(other.of(10, MINUTE), shape.of(1, MINUTE));
        limiter.reset(key);
        assertEquals(1, admitted(limiter, key, 20));
        assertEquals(9, limiter.peek(key).limits().get(ownFirst ? 1 : 0).remaining());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b07TheLongLimitCountsOnlyWhatWasServed(Shape shape) {
    RateLimiter limiter = limiter(shape.of(10, MINUTE), FixedWindow.of(30, Duration.ofMinutes(30)));
    int served = 0;
    for (int i = 0; i < 31; i++) {
      at(4.0 * i);
      served += limiter.tryAcquire(KEY).allowed() ? 1 : 0;
      assertEquals(30 - served, limiter.peek(KEY).limits().get(1).remaining());
    }
    assertTrue(served >= 15 && served <= 30, "served " + served);
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b19APollingClientGetsItsRate(Shape shape) {
    RateLimiter limiter = limiter(shape.of(10, MINUTE));
    int served = 0;
    for (int second = 0; second < 300; second++) {
      at(second);
      served += limiter.tryAcquire(KEY).allowed() ? 1 : 0;
    }
    assertTrue(served >= 45 && served <= 60, "served " + served);
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b19RefusalsDoNotEatARaisedLimit(Shape shape) {
    RateLimiter limiter = limiter(shape.of(10, Duration.ofHours(1)));
    assertEquals(10, admitted(limiter, KEY, 50));
    limiter.changePolicy(policy(shape.of(20, Duration.ofHours(1))));
    assertEquals(10, admitted(limiter, KEY, 50));
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b33CallsOfOneInstantAreAllCounted(Shape shape) {
    RateLimiter limiter = limiter(shape.of(10, MINUTE));
    assertEquals(10, admitted(limiter, KEY, 2_000));
    RateLimiter twice = limiter(shape.of(10, MINUTE), shape.of(10, MINUTE));
    assertEquals(10, admitted(twice, "twice", 500));
  }

  @Test
  void b35RemainingOfTheSlidingCounterCountsTheLastWindow() {
    RateLimiter limiter = limiter(SlidingWindowCounter.of(100, MINUTE));
    at(30);
    allowed(limiter.tryAcquire(KEY, 50));
    at(60);
    allowed(limiter.tryAcquire(KEY, 10));
    at(66);
    assertEquals(45, limiter.peek(KEY).remaining());
    assertEquals(45, admitted(limiter, KEY, 60));
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b35RemainingIsNeverNegativeAndCanBeSpent(Shape shape) {
    RateLimiter limiter = limiter(shape.of(10, MINUTE));
    for (int i = 0; i < 12; i++) {
      Decision decision = limiter.tryAcquire(KEY);
      assertEquals(Math.max(0, 9 - i), decision.remaining());
    }
    for (int step = 1; step < 20; step++) {
      clock().advance(seconds(7.3));
      Answer answer = Answer.of(limiter.tryAcquire(KEY));
      if (step % 3 == 0) {
        new HonestyChecker(limiter, clock()).spend(KEY, answer);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b41NegativeCostsAreErrorsAndZeroIsALook(Shape shape) {
    RateLimiter limiter = limiter(shape.of(10, MINUTE));
    assertEquals(10, allowed(limiter.tryAcquire(KEY, 0)).remaining());
    assertEquals(10, admitted(limiter, KEY, 20));
    assertThrows(IllegalArgumentException.class, () -> limiter.tryAcquire(KEY, -5));
    assertThrows(IllegalArgumentException.class, () -> limiter.tryAcquireAsync(KEY, -5));
    assertThrows(IllegalArgumentException.class, () -> limiter.peek(KEY, -5));
    assertThrows(IllegalArgumentException.class, () -> limiter.peekAsync(KEY, -5));
    assertEquals(0, allowed(limiter.tryAcquire(KEY, 0)).remaining());
    refused(limiter.tryAcquire(KEY));
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b63CheckingAndCountingAreOne(Shape shape) {
    RateLimiter limiter = limiter(shape.of(5, seconds(1)));
    assertEquals(5, Threads.sum(20, thread -> admitted(limiter, KEY, 50)));
    assertEquals(0, Threads.sum(4, thread -> admitted(limiter, KEY, 10)));
  }
}
