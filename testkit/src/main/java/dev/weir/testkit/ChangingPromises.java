package dev.weir.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Promise 10: a changed policy acts on the next call, with what was used kept. */
abstract class ChangingPromises extends HarnessTest {

  private static final Duration HOUR = Duration.ofHours(1);

  @ParameterizedTest
  @EnumSource(Shape.class)
  void promise10WhatWasUsedIsKeptUnderAnyOtherAlgorithm(Shape before) {
    for (Shape after : Shape.values()) {
      String key = "user:" + after;
      RateLimiter limiter = limiter(before.of(10, HOUR));
      allowed(limiter.tryAcquire(key, 4));
      for (long capacity : new long[] {10, 20, 5, 4, 3, 1}) {
        limiter.changePolicy(policy(after.of(capacity, HOUR)));
        assertEquals(
            Math.max(0, capacity - 4),
            limiter.peek(key).remaining(),
            () -> before + " to " + after + " of " + capacity);
      }
      limiter.changePolicy(policy(after.of(10, HOUR)));
      assertEquals(5, allowed(limiter.tryAcquire(key)).remaining());
      limiter.changePolicy(policy(before.of(10, HOUR)));
      assertEquals(5, limiter.peek(key).remaining());
      assertEquals(5, admitted(limiter, key, 10));
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void promise10TheSamePolicyAgainChangesNothing(Shape shape) {
    RateLimiter limiter = limiter(shape.of(10, HOUR));
    allowed(limiter.tryAcquire(KEY, 7));
    clock().advance(Duration.ofMinutes(1));
    Answer before = Answer.of(limiter.peek(KEY, 9));
    Object stored = store().storedState(limiter.policy(), KEY);
    limiter.changePolicy(policy(shape.of(10, HOUR)));
    assertEquals(before, Answer.of(limiter.peek(KEY, 9)));
    assertEquals(stored, store().storedState(limiter.policy(), KEY));
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void promise10NodesWithOldAndNewConfigurationMayAlternate(Shape shape) {
    RateLimitPolicy small = policy(shape.of(5, HOUR));
    RateLimitPolicy large = policy(shape.of(50, HOUR));
    RateLimiter first = store().limiter(small);
    RateLimiter second = store().sharesState() ? store().limiter(large) : first;
    int bySmall = 0;
    int byLarge = 0;
    for (int i = 0; i < 60; i++) {
      if (!store().sharesState()) {
        first.changePolicy(small);
      }
      bySmall += first.tryAcquire(KEY).allowed() ? 1 : 0;
      if (!store().sharesState()) {
        second.changePolicy(large);
      }
      byLarge += second.tryAcquire(KEY).allowed() ? 1 : 0;
    }
    assertEquals(3, bySmall);
    assertEquals(47, byLarge);
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void promise10NamedLimitsAreFoundAgainWhereverTheyStand(Shape shape) {
    Limit wide = Shape.FIXED_WINDOW_FIRST_CHARGE.of(1_000, HOUR);
    RateLimiter limiter =
        store().limiter(RateLimitPolicy.builder("test").limit("a", shape.of(10, HOUR)).build());
    allowed(limiter.tryAcquire(KEY, 4));
    limiter.changePolicy(
        RateLimitPolicy.builder("test").limit("b", wide).limit("a", shape.of(10, HOUR)).build());
    assertEquals(6, limiter.peek(KEY).limits().get(1).remaining());
    assertEquals(1_000, limiter.peek(KEY).limits().get(0).remaining());
    allowed(limiter.tryAcquire(KEY));
    limiter.changePolicy(
        RateLimitPolicy.builder("test").limit("a", shape.of(10, HOUR)).limit("b", wide).build());
    assertEquals(5, limiter.peek(KEY).limits().get(0).remaining());
    assertEquals(999, limiter.peek(KEY).limits().get(1).remaining());
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void promise10ANodeThatDoesNotKnowALimitYetLeavesItsCountAlone(Shape shape) {
    Limit wide = Shape.FIXED_WINDOW_FIRST_CHARGE.of(1_000, HOUR);
    RateLimitPolicy old = RateLimitPolicy.builder("test").limit("wide", wide).build();
    RateLimitPolicy added =
        RateLimitPolicy.builder("test").limit("wide", wide).limit("new", shape.of(5, HOUR)).build();
    RateLimiter limiter = store().limiter(added);
    allowed(limiter.tryAcquire(KEY, 5));
    limiter.changePolicy(old);
    allowed(limiter.tryAcquire(KEY));
    limiter.changePolicy(added);
    refused(limiter.tryAcquire(KEY));
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void promise10RaisingNeverRefusesWhoWasAdmittedBefore(Shape shape) {
    RateLimiter limiter = limiter(shape.of(10, HOUR));
    allowed(limiter.tryAcquire(KEY, 6));
    for (Duration window : new Duration[] {HOUR, Duration.ofMinutes(1), Duration.ofMillis(1)}) {
      limiter.changePolicy(policy(shape.of(10, window)));
      assertTrue(limiter.peek(KEY, 4).allowed(), () -> shape + " per " + window);
    }
    limiter.changePolicy(policy(shape.of(10_000_000, Duration.ofSeconds(10))));
    allowed(limiter.tryAcquire(KEY, 4));
  }

  @Test
  void promise10APolicyOfAnotherNameIsNotAChange() {
    RateLimiter limiter = limiter(Shape.TOKEN_BUCKET_SMOOTH.of(10, HOUR));
    RateLimitPolicy other = RateLimitPolicy.of("other", Shape.TOKEN_BUCKET_SMOOTH.of(10, HOUR));
    assertThrows(IllegalArgumentException.class, () -> limiter.changePolicy(other));
    assertEquals("test", limiter.policy().name());
  }
}
