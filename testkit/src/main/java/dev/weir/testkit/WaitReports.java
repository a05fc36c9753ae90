package dev.weir.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weir.Decision;
import dev.weir.FixedWindow;
import dev.weir.LeakyBucket;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.SlidingWindowLog;
import dev.weir.TokenBucket;
import dev.weir.Wait;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reports on waits and resets: B01, B06, B31, B34, B38. */
abstract class WaitReports extends HarnessTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void b01AdvisedWaitIsTheExactOneForThreePerTenSeconds() {
    for (Limit limit :
        List.of(TokenBucket.gcra(3, seconds(10), 1), LeakyBucket.policing(1, 3, seconds(10)))) {
      RateLimiter limiter = limiter(limit);
      String key = limit.toString();
      at(0);
      allowed(limiter.tryAcquire(key));
      at(0.1);
      refused(limiter.tryAcquire(key), seconds(3.233_334));
      at(3.333_333);
      refused(limiter.tryAcquire(key), seconds(0.000_001));
      at(3.333_334);
      allowed(limiter.tryAcquire(key));
    }
  }

  @Test
  void b01AdvisedWaitIsTheExactOneForTwentyPerSecond() {
    RateLimiter limiter = limiter(TokenBucket.gcra(20, seconds(1), 1));
    allowed(limiter.tryAcquire(KEY));
    at(0.01);
    refused(limiter.tryAcquire(KEY), Duration.ofMillis(40));
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b01AnObedientClientIsAdmittedAndAnEarlyOneIsNot(Shape shape) {
    LimitGenerator generator = new LimitGenerator(new java.util.Random(Seed.get()));
    for (int i = 0; i < 60; i++) {
      Limit limit = generator.limit(shape);
      RateLimiter limiter = limiter(limit);
      at(0.123_457 * i);
      String key = "client-" + i;
      long cost = 1 + limit.capacity() / 3;
      for (int call = 0; call < 12; call++) {
        Wait wait = limiter.tryAcquire(key, cost).retryAfter();
        if (!wait.isNone() && wait.toMicros() < ManualClock.LATEST - clock().now()) {
          clock().advance(wait.toMicros() - 1);
          refused(limiter.tryAcquire(key, cost), Duration.ofNanos(1_000));
          clock().advance(1);
          allowed(limiter.tryAcquire(key, cost));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b06CostAboveCapacityIsRefusedForEver(Shape shape) {
    RateLimiter limiter = limiter(shape.of(3, seconds(2)));
    Object untouched = store().storedState(limiter.policy(), KEY);
    Decision decision = refused(limiter.tryAcquire(KEY, 4));
    assertTrue(decision.retryAfter().isNever());
    assertEquals(3, decision.remaining());
    assertEquals(Duration.ZERO, decision.resetAfter());
    assertTrue(refused(limiter.peek(KEY, 4)).retryAfter().isNever());
    assertEquals(untouched, store().storedState(limiter.policy(), KEY));
    assertEquals(0, allowed(limiter.tryAcquire(KEY, 3)).remaining());
    assertTrue(refused(limiter.tryAcquire(KEY, 4)).retryAfter().isNever());
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b06CostAboveTheCapacityOfOneOfSeveralLimits(Shape shape) {
    RateLimiter limiter = limiter(shape.of(10, MINUTE), shape.of(3, MINUTE), shape.of(5, MINUTE));
    allowed(limiter.tryAcquire(KEY, 2));
    Decision decision = refused(limiter.tryAcquire(KEY, 4));
    assertTrue(decision.retryAfter().isNever());
    assertEquals(decision.limits().get(1).name(), decision.limitedBy().orElseThrow());
    assertEquals(Wait.NONE, decision.limits().get(0).retryAfter());
    assertTrue(decision.limits().get(2).retryAfter().toMicros() > 0);
    assertEquals(1, decision.remaining());
  }

  @Test
  void b31LogWaitsForItsOldestEntry() {
    RateLimiter limiter = limiter(SlidingWindowLog.of(2, MINUTE));
    at(0);
    allowed(limiter.tryAcquire(KEY));
    at(10);
    allowed(limiter.tryAcquire(KEY));
    at(20);
    refused(limiter.tryAcquire(KEY), seconds(40));
    refused(limiter.tryAcquire(KEY, 2), seconds(50));
    at(60);
    allowed(limiter.tryAcquire(KEY));
    at(61);
    refused(limiter.tryAcquire(KEY), seconds(9));
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b31TheBoundaryInstantIsFreeInEveryAlgorithm(Shape shape) {
    RateLimiter limiter = limiter(shape.of(1, MINUTE));
    allowed(limiter.tryAcquire(KEY));
    Duration free = shape.onePermitAfter(MINUTE);
    refused(limiter.tryAcquire(KEY), free);
    at(free.minusNanos(1_000));
    refused(limiter.tryAcquire(KEY), Duration.ofNanos(1_000));
    at(free);
    allowed(limiter.tryAcquire(KEY));
  }

  @Test
  void b34WaitCountsThePartlyEarnedToken() {
    for (Limit limit :
        List.of(TokenBucket.smooth(1, 1, seconds(1)), LeakyBucket.shaping(1, 1, seconds(1)))) {
      RateLimiter limiter = limiter(limit);
      String key = limit.toString();
      at(0);
      allowed(limiter.tryAcquire(key));
      at(0.2);
      refused(limiter.tryAcquire(key), Duration.ofMillis(800));
      at(0.9);
      refused(limiter.tryAcquire(key), Duration.ofMillis(100));
    }
  }

  @Test
  void b34IntervalWaitsForItsTick() {
    RateLimiter limiter = limiter(TokenBucket.interval(10, 10, MINUTE));
    at(1);
    allowed(limiter.tryAcquire(KEY, 10));
    at(2);
    refused(limiter.tryAcquire(KEY), seconds(59));
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b34WaitShrinksAsMuchAsTimePasses(Shape shape) {
    RateLimiter limiter = limiter(shape.of(7, MINUTE));
    at(7);
    allowed(limiter.tryAcquire(KEY, 7));
    long until = clock().now() + refused(limiter.tryAcquire(KEY, 5)).retryAfter().toMicros();
    while (clock().now() + 1_234_567 < until) {
      clock().advance(1_234_567);
      long wait = refused(limiter.tryAcquire(KEY, 5)).retryAfter().toMicros();
      assertEquals(until, clock().now() + wait);
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b38ResetIsATimeFromNowAndNeverNegative(Shape shape) {
    RateLimiter limiter = limiter(shape.of(2, MINUTE));
    HonestyChecker honesty = new HonestyChecker(limiter, clock());
    long most = 2 * ManualClock.micros(MINUTE);
    assertEquals(Duration.ZERO, limiter.peek("unknown").resetAfter());
    honesty.check("unknown", 1, Answer.of(limiter.peek("unknown")));
    for (double time : new double[] {0, 0, 0, 30, 59.999, 60, 60.001, 119.999, 120, 120.001}) {
      at(time);
      Answer answer = Answer.of(limiter.tryAcquire(KEY));
      honesty.check(KEY, 1, answer);
      assertTrue(answer.resetAfter() > 0 && answer.resetAfter() <= most, answer::toString);
      assertTrue(answer.retryAfter().toMicros() <= answer.resetAfter(), "a retry after the reset");
    }
    long until = clock().now() + ManualClock.micros(limiter.peek(KEY).resetAfter());
    clock().back(seconds(10));
    assertEquals(until - clock().now(), ManualClock.micros(limiter.peek(KEY).resetAfter()));
    clock().set(until);
    assertEquals(Duration.ZERO, limiter.peek(KEY).resetAfter());
    assertEquals(2, limiter.peek(KEY).remaining());
  }

  @Test
  void b38ResetOfAFirstChargeWindowIsItsEnd() {
    RateLimiter limiter = limiter(FixedWindow.of(2, MINUTE));
    at(5);
    assertEquals(MINUTE, limiter.tryAcquire(KEY).resetAfter());
    at(25);
    assertEquals(seconds(40), limiter.tryAcquire(KEY).resetAfter());
    assertEquals(seconds(40), refused(limiter.tryAcquire(KEY), seconds(40)).resetAfter());
  }
}
