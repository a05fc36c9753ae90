package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.RateLimitPolicy;
import dev.weir.SlidingWindowLog;
import dev.weir.testkit.ManualClock;
import dev.weir.testkit.RedisVersion;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Promise 14: a log keeps a bounded number of entries, and says how long until one leaves. */
class FullLogTest {

  private static final String LIMIT_IN_SCRIPT = "local MAX_ENTRIES = 1048576";
  private static final int FEW = 300;
  private static final RateLimitPolicy POLICY =
      RateLimitPolicy.of("log", SlidingWindowLog.of(1_000_000, Duration.ofSeconds(1)));

  @Test
  void theScriptKeepsAsManyEntriesAsJava() {
    assertThat(SlidingWindowLog.MAX_ENTRIES).isEqualTo(1_048_576);
    assertThat(Script.of(POLICY).text()).contains(LIMIT_IN_SCRIPT);
  }

  @Test
  void aFullLogWaitsForItsOldestEntryAndSharesItsNewest() {
    try (RedisHarness harness = new RedisHarness(RedisVersion.usual())) {
      ManualClock clock = harness.clock();
      var limiter = harness.limiter(POLICY, FullLogTest::withFewEntries);
      for (int i = 0; i < FEW; i++) {
        clock.advance(10);
        assertThat(limiter.tryAcquire("u", 2).allowed()).isTrue();
      }
      assertThat(limiter.tryAcquire("u", 5).remaining())
          .as("the newest entry is of this very instant")
          .isEqualTo(1_000_000 - 2 * FEW - 5);
      clock.advance(1);
      Decision refused = limiter.tryAcquire("u");
      assertThat(refused.allowed()).isFalse();
      assertThat(refused.remaining()).isZero();
      long wait = 1_000_000 - 10 * (FEW - 1) - 1;
      assertThat(refused.retryAfter().toMicros()).isEqualTo(wait);
      clock.advance(wait - 1);
      assertThat(limiter.tryAcquire("u").allowed()).isFalse();
      clock.advance(1);
      assertThat(limiter.tryAcquire("u").allowed()).isTrue();
      clock.advance(1);
      assertThat(limiter.tryAcquire("u").allowed()).as("full again").isFalse();
      clock.advance(1_000_000);
      assertThat(limiter.tryAcquire("u").remaining()).isEqualTo(999_999);
    }
  }

  private static Script withFewEntries(RateLimitPolicy policy, Operation operation) {
    String text =
        Script.of(policy, operation, RedisHarness.CLOCK)
            .text()
            .replace(LIMIT_IN_SCRIPT, "local MAX_ENTRIES = " + FEW);
    // The digest is of no script, so the text is sent each time.
    return new Script(text, "0".repeat(40));
  }
}
