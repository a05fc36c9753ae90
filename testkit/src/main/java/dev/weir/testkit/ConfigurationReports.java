package dev.weir.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weir.LeakyBucket;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.TokenBucket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reports on configuration that changes under way: B08, B09, B10, B61. */
abstract class ConfigurationReports extends HarnessTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b08ARaisedLimitActsOnTheNextCall(Shape shape) {
    RateLimiter limiter = limiter(shape.of(5, MINUTE));
    assertEquals(5, admitted(limiter, KEY, 10));
    at(1);
    limiter.changePolicy(policy(shape.of(50, MINUTE)));
    assertTrue(allowed(limiter.tryAcquire(KEY)).remaining() >= 44);
    limiter.changePolicy(policy(shape.of(5, MINUTE)));
    refused(limiter.tryAcquire(KEY));
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b08AShorterWindowActsOnTheNextCall(Shape shape) {
    RateLimiter limiter = limiter(shape.of(5, Duration.ofHours(1)));
    assertEquals(5, admitted(limiter, KEY, 10));
    at(1);
    limiter.changePolicy(policy(shape.of(5, seconds(10))));
    at(12);
    allowed(limiter.tryAcquire(KEY));
    ExpiryChecker expiry = new ExpiryChecker(store(), limiter);
    at(40);
    assertTrue(expiry.tryAcquire(KEY, 1).resetAfter() <= 20_000_000);
  }

  @Test
  void b09RaisingTheRateRefusesNobody() {
    for (Shape shape : new Shape[] {Shape.TOKEN_BUCKET_SMOOTH, Shape.LEAKY_BUCKET_SHAPING}) {
      boolean token = shape == Shape.TOKEN_BUCKET_SMOOTH;
      at(0);
      RateLimiter limiter = limiter(rated(token, 10));
      assertEquals(3, admitted(limiter, shape.name(), 3));
      at(0.1);
      limiter.changePolicy(policy(rated(token, 1_000)));
      allowed(limiter.tryAcquire(shape.name()));
    }
  }

  @Test
  void b09LoweringTheRateGivesNoFreeBurst() {
    for (boolean token : new boolean[] {true, false}) {
      RateLimiter limiter = limiter(rated(token, 1_000));
      String key = "token-" + token;
      assertEquals(10, admitted(limiter, key, 10));
      limiter.changePolicy(policy(rated(token, 10)));
      assertEquals(6, admitted(limiter, key, 20));
    }
  }

  private static Limit rated(boolean token, long per20Seconds) {
    return token
        ? TokenBucket.gcra(per20Seconds, seconds(20), 16)
        : LeakyBucket.shaping(16, per20Seconds, seconds(20));
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b09NearlyUsedUpAndThenLowered(Shape shape) {
    RateLimiter limiter = limiter(shape.of(1_000_000, MINUTE));
    allowed(limiter.tryAcquire(KEY, 999_990));
    limiter.changePolicy(policy(shape.of(1, MINUTE)));
    assertEquals(0, refused(limiter.tryAcquire(KEY)).remaining());
    limiter.changePolicy(policy(shape.of(1_000_000, MINUTE)));
    assertEquals(9, allowed(limiter.tryAcquire(KEY)).remaining());
    limiter.changePolicy(policy(shape.of(1, MINUTE)));
    assertEquals(0, refused(limiter.tryAcquire(KEY)).remaining());
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b10TheSameConfigurationAgainRefillsNothing(Shape shape) {
    RateLimiter limiter = limiter(shape.of(5, MINUTE));
    int served = 0;
    for (int i = 0; i < 20; i++) {
      limiter.changePolicy(policy(shape.of(5, MINUTE)));
      served += limiter.tryAcquire(KEY).allowed() ? 1 : 0;
    }
    assertEquals(5, served);
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b10AChangedConfigurationHasItsBudgetAndItsSpeed(Shape shape) {
    RateLimiter limiter = limiter(shape.of(5, MINUTE));
    assertEquals(5, admitted(limiter, KEY, 20));
    limiter.changePolicy(policy(shape.of(10, MINUTE)));
    assertEquals(5, admitted(limiter, KEY, 20));
    int served = 0;
    for (int second = 1; second < 120; second++) {
      at(second);
      boolean allowed = limiter.tryAcquire(KEY).allowed();
      served += allowed && second >= 60 ? 1 : 0;
    }
    assertTrue(
        served == 10 || (shape == Shape.SLIDING_WINDOW_COUNTER && served == 9), "served " + served);
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b61LoweredAndRaisedInTheSameWindow(Shape shape) {
    RateLimiter limiter = limiter(shape.of(10, MINUTE));
    assertEquals(3, admitted(limiter, KEY, 3));
    limiter.changePolicy(policy(shape.of(5, MINUTE)));
    assertEquals(2, admitted(limiter, KEY, 20));
    limiter.changePolicy(policy(shape.of(20, MINUTE)));
    assertEquals(15, admitted(limiter, KEY, 50));
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b61WhatWasUsedIsClampedToASmallerCapacity(Shape shape) {
    RateLimiter limiter = limiter(shape.of(100, MINUTE));
    allowed(limiter.tryAcquire(KEY, 20));
    limiter.changePolicy(policy(shape.of(10, MINUTE)));
    assertEquals(0, refused(limiter.tryAcquire(KEY)).remaining());
    limiter.changePolicy(policy(shape.of(10, seconds(1))));
    at(120);
    assertEquals(10, admitted(limiter, KEY, 20));
    limiter.changePolicy(policy(shape.of(100, seconds(1))));
    assertEquals(90, admitted(limiter, KEY, 200));
  }

  @Test
  void b61ABucketClampedIsFreeAfterItsNewTimeAtMost() {
    for (Limit small :
        List.of(TokenBucket.smooth(10, 10, MINUTE), LeakyBucket.policing(10, 10, MINUTE))) {
      at(0);
      RateLimiter limiter = limiter(TokenBucket.smooth(100, 1, MINUTE));
      String key = small.toString();
      allowed(limiter.tryAcquire(key, 20));
      limiter.changePolicy(policy(small));
      assertEquals(MINUTE, limiter.peek(key).resetAfter());
      refused(limiter.tryAcquire(key), seconds(6));
    }
  }
}
