package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.SlidingWindowLog;
import dev.weir.testkit.RedisVersion;
import dev.weir.testkit.Seed;
import dev.weir.testkit.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** Promise 12, for what is more than a text: the chunks of a log, and what operators are told. */
class DamagedLogTest extends LiveRedis {

  private static final String KEY = "weir:{api:u}";
  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void damagedChunksAreNeverAnErrorAndGoneWithinAWindow() {
    Random random = new Random(Seed.get());
    RateLimitPolicy policy = RateLimitPolicy.of("api", SlidingWindowLog.of(1_000, seconds(1)));
    try (RedisHarness harness = new RedisHarness(RedisVersion.usual())) {
      RateLimiter limiter = harness.limiter(policy);
      for (int round = 0; round < 40; round++) {
        String what = "seed " + Seed.get() + ", round " + round;
        limiter.reset("u");
        for (int i = 0; i < 150; i++) {
          harness.clock().advance(1 + random.nextInt(3_000));
          limiter.tryAcquire("u");
        }
        harness.damageChunk(random);
        for (int i = 0; i < 30; i++) {
          harness.clock().advance(random.nextInt(40_000));
          limiter.peek("u");
          long remaining = limiter.tryAcquire("u", 1 + random.nextInt(3)).remaining();
          assertThat(remaining).as(what).isBetween(0L, 1_000L);
        }
        harness.clock().advance(seconds(2));
        assertThat(limiter.tryAcquire("u").remaining()).as(what).isEqualTo(999);
      }
    }
  }

  private static Duration seconds(int seconds) {
    return Duration.ofSeconds(seconds);
  }

  @Test
  void aForeignHashIsReplacedAsAWhole() {
    server.command("HSET", KEY, "s", "nonsense", "x", "1", "y", "2");
    RedisRateLimiter limiter = limiter(SlidingWindowLog.of(3, HOUR));
    assertThat(limiter.tryAcquire("u").remaining()).isEqualTo(2);
    List<?> fields = (List<?>) Objects.requireNonNull(server.command("HKEYS", KEY));
    assertThat(fields.toString()).doesNotContain("x,").doesNotContain("y");
    assertThat(fields).hasSize(2);
    assertThat(limiter.damagedStates()).isEqualTo(1);
  }

  @Test
  void aWarningIsLoggedOnceHoweverManyKeysAreDamaged() {
    List<String> warnings = new ArrayList<>();
    Handler notes =
        new Handler() {
          @Override
          public void publish(LogRecord logged) {
            warnings.add(logged.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger(RedisRateLimiter.class.getName());
    logger.addHandler(notes);
    try {
      RedisRateLimiter limiter = limiter(Shape.TOKEN_BUCKET_SMOOTH.of(3, HOUR));
      for (int i = 0; i < 5; i++) {
        server.command("SET", "weir:{api:k" + i + "}", "not ours");
        assertThat(limiter.tryAcquire("k" + i).remaining()).isEqualTo(2);
      }
      assertThat(limiter.damagedStates()).isEqualTo(5);
      assertThat(warnings).hasSize(1);
    } finally {
      logger.removeHandler(notes);
    }
  }

  @Test
  void timesThatNoClockShowsAreDamageAndLaterOnesAreAClockThatStepsBack() {
    RedisRateLimiter limiter = limiter(Shape.FIXED_WINDOW_FIRST_CHARGE.of(3, HOUR));
    limiter.tryAcquire("u", 3);
    String stored = String.valueOf(server.command("GET", KEY));
    // The time is in bytes 3 to 9, the largest first; the window's start in 10 to 16.
    String never = stored.substring(0, 3) + "\u00ff" + stored.substring(4);
    server.command("SET", KEY, never, "PX", "60000");
    assertThat(limiter.tryAcquire("u").remaining()).isEqualTo(2);
    assertThat(limiter.damagedStates()).isEqualTo(1);

    limiter.tryAcquire("u", 2);
    String now = String.valueOf(server.command("GET", KEY));
    char higher = (char) (now.charAt(6) + 1);
    String later = now.substring(0, 6) + higher + now.substring(7, 13) + higher + now.substring(14);
    server.command("SET", KEY, later, "PX", "60000");
    assertThat(limiter.peek("u").remaining()).as("2^24 us later").isZero();
    assertThat(limiter.peek("u").resetAfter()).isBetween(HOUR, HOUR.plusSeconds(17 * 2));
    assertThat(limiter.damagedStates()).isEqualTo(1);
  }
}
