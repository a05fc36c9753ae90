package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimitPolicy;
import dev.weir.testkit.RedisConnection;
import dev.weir.testkit.Shape;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** B18, B45, B46, B48: on Redis' own clock keys end in time, not early, and nothing moves that. */
class RealClockTest extends LiveRedis {

  private static final String KEY = "weir:{api:u}";
  private static final Duration HOUR = Duration.ofHours(1);

  // The whole millisecond at which Redis will remove the key.
  private static final String DEADLINE =
      "local t = redis.call('TIME')"
          + " return t[1] * 1000 + math.floor(t[2] / 1000) + redis.call('PTTL', KEYS[1])";

  @ParameterizedTest
  @EnumSource(Shape.class)
  void keysThatEndEveryFewMillisecondsNeverAdmitTooMuch(Shape shape) {
    long windowMicros = 2_000;
    RedisRateLimiter limiter = limiter(shape.of(1, Duration.ofMillis(2)));
    long before = micros();
    long admitted = 0;
    for (int i = 0; i < 1_000 || micros() - before < 50 * windowMicros; i++) {
      admitted += limiter.tryAcquire("u").allowed() ? 1 : 0;
    }
    long after = micros();
    // Windows of the clock that were touched; any other limit keeps its permits a window apart.
    long most =
        Math.max(after / windowMicros - before / windowMicros, (after - before) / windowMicros) + 1;
    assertThat(admitted).as("admitted in %d us", after - before).isBetween(2L, most);
    assertThat(limiter.damagedStates()).isZero();
  }

  private static long micros() {
    List<?> time = (List<?>) Objects.requireNonNull(server.command("TIME"));
    return Long.parseLong(time.get(0).toString()) * 1_000_000
        + Long.parseLong(time.get(1).toString());
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void refusalsAndLooksLeaveTheDeadline(Shape shape) {
    for (long capacity : new long[] {5, 1_000_000}) {
      RedisRateLimiter limiter = limiter(shape.of(capacity, HOUR));
      limiter.reset("u");
      limiter.tryAcquire("u", capacity);
      long deadline = deadline();
      for (int i = 0; i < 20; i++) {
        assertThat(limiter.tryAcquire("u", capacity).allowed()).isFalse();
        limiter.tryAcquire("u", 1_000_000_000);
        limiter.tryAcquire("u", 0);
        limiter.peek("u", 1);
      }
      // The two readings of the clock in the test's own script may fall on a tick.
      assertThat(deadline()).isBetween(deadline - 1, deadline + 1);
    }
  }

  private static long deadline() {
    return (Long) Objects.requireNonNull(server.command("EVAL", DEADLINE, "1", KEY));
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b48LongAndSlowLimitsHaveALegalExpiryAfterEveryCall(Shape shape) {
    List<RateLimitPolicy> policies =
        List.of(
            RateLimitPolicy.of("api", shape.of(1, Duration.ofMillis(1))),
            RateLimitPolicy.of("api", shape.of(3, Duration.ofMillis(1_000))),
            RateLimitPolicy.of("api", shape.of(7, Duration.ofDays(400))),
            RateLimitPolicy.of("api", shape.of(1_000_000_000, Duration.ofDays(3_650))));
    try (RedisConnection own = new RedisConnection(server.host(), server.port())) {
      for (RateLimitPolicy policy : policies) {
        RedisRateLimiter limiter = limiter(policy);
        limiter.reset("u");
        long windows = policy.limits().get(0).limit().quotaWindow().toMillis();
        for (int i = 0; i < 10; i++) {
          limiter.tryAcquire("u");
          long expiry = (Long) Objects.requireNonNull(own.command("PTTL", KEY));
          // -2 is a key whose time was over before it was asked for.
          assertThat(expiry).as(policy.toString()).isNotEqualTo(-1).isBetween(-2L, 2 * windows + 2);
        }
      }
    }
  }
}
