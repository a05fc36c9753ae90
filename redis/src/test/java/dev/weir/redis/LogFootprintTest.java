package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.SlidingWindowLog;
import dev.weir.testkit.RedisVersion;
import dev.weir.testkit.Shape;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a key takes in Redis, and what a call on a long log costs. */
class LogFootprintTest extends LiveRedis {

  private static final int ENTRIES = 50_000;

  @ParameterizedTest
  @EnumSource(Shape.class)
  void aKeyTakesLittleMemory(Shape shape) {
    limiter(shape.of(100, Duration.ofHours(1))).tryAcquire("user:123");
    long bytes = memory("weir:{api:user:123}");
    System.out.println("memory: " + shape + " " + bytes + " B");
    assertThat(bytes).isLessThanOrEqualTo(shape == Shape.SLIDING_WINDOW_LOG ? 500 : 120);
  }

  @Test
  void b66ALongLogIsSmallAndItsExpiryBlocksNobody() {
    try (RedisHarness harness = new RedisHarness(RedisVersion.usual())) {
      SlidingWindowLog log = SlidingWindowLog.of(1_000_000, Duration.ofDays(1));
      var policy = dev.weir.RateLimitPolicy.of("log", log);
      var limiter = harness.limiter(policy);
      for (int i = 0; i < ENTRIES; i++) {
        harness.clock().advance(1);
        limiter.tryAcquire("u");
      }
      String key = RedisHarness.redisKey(policy, "u");
      long perEntry = harness.memory(key) / ENTRIES;
      System.out.println("memory: sliding log " + perEntry + " B per entry");
      assertThat(perEntry).isLessThanOrEqualTo(16);
      assertThat(limiter.peek("u").remaining()).isEqualTo(1_000_000 - ENTRIES);
      harness.clock().advance(86_400_000_000L - ENTRIES / 2);
      long before = harness.scriptMicros();
      assertThat(limiter.tryAcquire("u").remaining()).isEqualTo(1_000_000 - ENTRIES / 2 - 1);
      assertThat(harness.scriptMicros() - before)
          .as("microseconds of the call at which %d entries have left", ENTRIES / 2)
          .isLessThan(5_000);
    }
  }

  private static long memory(String key) {
    return (Long) java.util.Objects.requireNonNull(server.command("MEMORY", "USAGE", key));
  }
}
