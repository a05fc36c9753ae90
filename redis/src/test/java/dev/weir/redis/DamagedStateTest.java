package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.SlidingWindowLog;
import dev.weir.testkit.Shape;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Promise 12: whatever stands in a key, it becomes a fresh key once and is counted. */
class DamagedStateTest extends LiveRedis {

  private static final String KEY = "weir:{api:u}";
  private static final Duration HOUR = Duration.ofHours(1);

  @ParameterizedTest
  @EnumSource(Shape.class)
  void aKeyOfAnotherTypeOrTextIsTakenAsFreshOnce(Shape shape) {
    List<String[]> foreign =
        List.of(
            new String[] {"SET", KEY, ""},
            new String[] {"SET", KEY, "17"},
            new String[] {"SET", KEY, "D"},
            new String[] {"SET", KEY, "x".repeat(33)},
            new String[] {"HSET", KEY, "tokens", "3"},
            new String[] {"HSET", KEY, "s", "nonsense"},
            new String[] {"LPUSH", KEY, "a"},
            new String[] {"ZADD", KEY, "1", "a"},
            new String[] {"SADD", KEY, "a"},
            new String[] {"XADD", KEY, "*", "a", "b"});
    for (String[] command : foreign) {
      server.command("FLUSHALL");
      server.command(command);
      RedisRateLimiter limiter = limiter(shape.of(3, HOUR));
      // An empty string is no state at all, and nothing is wrong with it.
      int damaged = command[0].equals("SET") && command[2].isEmpty() ? 0 : 1;
      assertThat(limiter.peek("u").remaining()).as(String.join(" ", command)).isEqualTo(3);
      assertThat(limiter.tryAcquire("u").remaining()).isEqualTo(2);
      assertThat(limiter.damagedStates()).isEqualTo(2L * damaged);
      assertThat(limiter.tryAcquire("u").remaining()).isEqualTo(1);
      assertThat(limiter.damagedStates()).isEqualTo(2L * damaged);
      assertThat(expiryMillis(KEY)).isPositive();
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void randomlyChangedBytesAreNeverAnError(Shape shape) {
    long seed = Long.getLong("weir.seed", System.nanoTime());
    Random random = new Random(seed);
    RedisRateLimiter limiter = limiter(shape.of(3, HOUR));
    boolean log = shape == Shape.SLIDING_WINDOW_LOG;
    for (int i = 0; i < 100; i++) {
      limiter.reset("u");
      limiter.tryAcquire("u");
      Object stored = log ? server.command("HGET", KEY, "s") : server.command("GET", KEY);
      StringBuilder text = new StringBuilder(String.valueOf(stored));
      switch (random.nextInt(3)) {
        case 0 -> text.setCharAt(random.nextInt(text.length()), (char) random.nextInt(256));
        case 1 -> text.setLength(random.nextInt(text.length()));
        default -> text.append((char) random.nextInt(256));
      }
      if (log) {
        server.command("HSET", KEY, "s", text.toString());
      } else {
        server.command("SET", KEY, text.toString());
      }
      long remaining = limiter.tryAcquire("u").remaining();
      assertThat(remaining).as("seed %d, round %d", seed, i).isBetween(0L, 3L);
      assertThat(expiryMillis(KEY)).as("seed %d, round %d", seed, i).isPositive();
    }
  }

  @Test
  void aLogWhoseChunkIsMissingIsTakenAsFresh() {
    RedisRateLimiter limiter = limiter(SlidingWindowLog.of(3, HOUR));
    limiter.tryAcquire("u", 3);
    List<?> fields = (List<?>) java.util.Objects.requireNonNull(server.command("HKEYS", KEY));
    fields.stream()
        .map(String::valueOf)
        .filter(field -> !field.equals("s"))
        .forEach(field -> server.command("HDEL", KEY, field));
    assertThat(limiter.tryAcquire("u").remaining()).isEqualTo(2);
    assertThat(limiter.damagedStates()).isEqualTo(1);
    assertThat(limiter.tryAcquire("u").remaining()).isEqualTo(1);
    assertThat(limiter.damagedStates()).isEqualTo(1);
  }

  @Test
  void aLogOfAnotherLimitInATextIsNoLogAndNoError() {
    limiter(SlidingWindowLog.of(3, HOUR)).tryAcquire("u", 3);
    String log = String.valueOf(server.command("HGET", KEY, "s"));
    server.command("SET", KEY, log);
    RedisRateLimiter limiter =
        limiter(
            dev.weir.RateLimitPolicy.builder("api")
                .limit("other", Shape.TOKEN_BUCKET_INTERVAL.of(3, HOUR))
                .build());
    for (int left = 2; left >= 0; left--) {
      assertThat(limiter.tryAcquire("u").remaining()).isEqualTo(left);
    }
    assertThat(expiryMillis(KEY)).isPositive();
    limiter.changePolicy(dev.weir.RateLimitPolicy.of("api", SlidingWindowLog.of(3, HOUR)));
    assertThat(limiter.tryAcquire("u").remaining()).isEqualTo(2);
    assertThat(limiter.damagedStates()).isEqualTo(1);
  }

  @Test
  void aPolicyThatGainsOrLosesALogKeepsWhatWasUsed() {
    RedisRateLimiter limiter = limiter(Shape.TOKEN_BUCKET_SMOOTH.of(5, HOUR));
    limiter.tryAcquire("u", 3);
    limiter.changePolicy(dev.weir.RateLimitPolicy.of("api", SlidingWindowLog.of(5, HOUR)));
    assertThat(limiter.tryAcquire("u").remaining()).isEqualTo(1);
    limiter.changePolicy(dev.weir.RateLimitPolicy.of("api", Shape.TOKEN_BUCKET_SMOOTH.of(5, HOUR)));
    assertThat(limiter.tryAcquire("u").remaining()).isZero();
    assertThat(limiter.damagedStates()).isZero();
  }
}
