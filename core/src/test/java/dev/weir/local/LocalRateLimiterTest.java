package dev.weir.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Promise 14: memory is bounded, and forgetting is never a gift. */
class LocalRateLimiterTest {

  private static final int KEYS = 1_024;

  private final AtomicLong now = new AtomicLong(1_700_000_000_000_000L);
  private final LocalRateLimiter limiter =
      LocalRateLimiter.builder(RateLimitPolicy.of("p", FixedWindow.of(2, Duration.ofHours(1))))
          .timeSource(now::get)
          .maxKeys(KEYS)
          .build();

  @Test
  void manyKeysTakeBoundedMemoryAndNobodyGetsAFreshLimit() {
    assertThat(limiter.tryAcquire("victim", 2).allowed()).isTrue();
    long admitted = 0;
    for (int i = 0; i < 50 * KEYS; i++) {
      admitted += limiter.tryAcquire("flood-" + i).allowed() ? 1 : 0;
    }
    assertThat(limiter.size()).isLessThanOrEqualTo(KEYS);
    assertThat(limiter.tryAcquire("victim").allowed()).isFalse();
    // Each key once, and the overflow state of each of the 256 stripes twice at most.
    assertThat(admitted).isLessThanOrEqualTo(KEYS + 2 * 256);
  }

  @Test
  void keysThatAreFreshAgainMakeRoom() {
    for (int round = 0; round < 10; round++) {
      long admitted = 0;
      for (int i = 0; i < KEYS / 4; i++) {
        admitted += limiter.tryAcquire("round-" + round + "-" + i).allowed() ? 1 : 0;
      }
      assertThat(admitted).as("round %d", round).isEqualTo(KEYS / 4);
      now.addAndGet(3_600_000_000L);
    }
    assertThat(limiter.size()).isLessThanOrEqualTo(KEYS);
  }

  @Test
  void looksAndRefusalsKeepNothing() {
    for (int i = 0; i < 10_000; i++) {
      limiter.peek("look-" + i);
      limiter.tryAcquire("never-" + i, 3);
      limiter.tryAcquire("zero-" + i, 0);
    }
    assertThat(limiter.size()).isZero();
  }

  @Test
  void argumentsOutOfRangeAreSaid() {
    assertThatThrownBy(() -> limiter.tryAcquire("u", -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("permits must be from 0 to 1000000000, and were -1");
    assertThatThrownBy(() -> limiter.tryAcquireAsync("u", 1_000_000_001))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                limiter.changePolicy(
                    RateLimitPolicy.of("other", FixedWindow.of(2, Duration.ofHours(1)))))
        .hasMessageContaining("applies policy 'p' and cannot change to 'other'");
  }
}
