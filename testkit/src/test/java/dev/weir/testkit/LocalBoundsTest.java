package dev.weir.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.SlidingWindowLog;
import dev.weir.local.LocalRateLimiter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Promise 14, of the in-process store: its memory is bounded, and nobody gains from that. */
class LocalBoundsTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final ManualClock clock = new ManualClock();

  private LocalRateLimiter limiter(int maxKeys, Limit limit) {
    return LocalRateLimiter.builder(RateLimitPolicy.of("bounds", limit))
        .timeSource(clock)
        .maxKeys(maxKeys)
        .build();
  }

  private static int admitted(RateLimiter limiter, String key, int calls) {
    int admitted = 0;
    for (int i = 0; i < calls; i++) {
      admitted += limiter.tryAcquire(key).allowed() ? 1 : 0;
    }
    return admitted;
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b52AKeyThatWasForgottenIsNotFreshAgainWhenTheClockGoesBack(Shape shape) {
    RateLimiter limiter = limiter(LocalRateLimiter.DEFAULT_MAX_KEYS, shape.of(5, SECOND));
    // Two texts of one hash code, so that a look at the one can make room at the cost of the other.
    String key = "Aa";
    String other = "BB";
    assertEquals(5, admitted(limiter, key, 8));
    clock.advance(Duration.ofSeconds(10));
    limiter.peek(other);
    clock.back(Duration.ofSeconds(10));
    assertEquals(0, admitted(limiter, key, 8));
  }

  @Test
  void promise14EachOfUpToMaxKeysKeysHasItsOwnLimit() {
    for (int maxKeys : new int[] {1, 2, 3, 100, 300, 1_000, 10_000}) {
      LocalRateLimiter limiter = limiter(maxKeys, Shape.FIXED_WINDOW_FIRST_CHARGE.of(1, SECOND));
      int admitted = 0;
      for (int i = 0; i < maxKeys; i++) {
        admitted += limiter.tryAcquire("user:" + i).allowed() ? 1 : 0;
      }
      assertEquals(maxKeys, admitted);
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void promise14AFloodOfKeysGivesNobodyAFreshLimit(Shape shape) {
    LocalRateLimiter limiter = limiter(64, shape.of(2, SECOND));
    assertEquals(2, admitted(limiter, "victim", 3));
    for (int i = 0; i < 5_000; i++) {
      limiter.tryAcquire("flood:" + i);
      assertTrue(limiter.size() <= 64, "size " + limiter.size());
    }
    assertEquals(0, admitted(limiter, "victim", 3));
    clock.advance(SECOND.multipliedBy(3));
    assertEquals(2, admitted(limiter, "victim", 3));
    assertEquals(2, admitted(limiter, "late", 3));
  }

  @Test
  void promise14ALogKeepsAtMostItsEntriesAndSaysWhenThereIsRoom() {
    Duration hour = Duration.ofHours(1);
    RateLimiter limiter = limiter(1, SlidingWindowLog.of(Limit.MAX_PERMITS, hour));
    long start = clock.now();
    for (long i = 0; i < SlidingWindowLog.MAX_ENTRIES; i++) {
      clock.set(start + i);
      limiter.tryAcquire("key");
    }
    assertTrue(limiter.tryAcquire("key").allowed(), "the newest instant has an entry already");
    clock.advance(1);
    Decision refused = limiter.tryAcquire("key");
    assertEquals(false, refused.allowed());
    assertEquals(0, refused.remaining());
    HonestyChecker honesty = new HonestyChecker(limiter, clock);
    honesty.check("key", 1, Answer.of(refused));
    clock.advance(refused.retryAfter().toMicros());
    assertEquals(start + ManualClock.micros(hour), clock.now());
    assertTrue(limiter.tryAcquire("key").allowed(), "the oldest entry has left");
  }
}
