package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.testkit.Shape;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every key expires, no earlier than its state is fresh: on Redis' own clock. */
class ExpiryTest extends LiveRedis {

  private static final String KEY = "weir:{api:u}";

  @ParameterizedTest
  @EnumSource(Shape.class)
  void aKeyLivesUntilItsStateIsFreshAndNotMuchLonger(Shape shape) {
    for (Duration window :
        new Duration[] {
          Duration.ofMillis(100), Duration.ofSeconds(10), Duration.ofDays(400), Limit.MAX_DURATION
        }) {
      RedisRateLimiter limiter = limiter(shape.of(5, window));
      limiter.reset("u");
      Decision decision = limiter.tryAcquire("u");
      long expiry = expiryMillis(KEY);
      long reset = decision.resetAfter().toMillis();
      assertThat(expiry).as("%s %s", shape, window).isBetween(reset - 90, reset + 2);
      assertThat(limiter.tryAcquire("u", 5).allowed()).isFalse();
      assertThat(expiryMillis(KEY)).as("a refusal extends nothing").isLessThanOrEqualTo(expiry);
      limiter.peek("u");
      assertThat(expiryMillis(KEY)).as("nor does a look").isLessThanOrEqualTo(expiry);
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b45AKeyMadePermanentGetsItsExpiryBack(Shape shape) {
    RedisRateLimiter limiter = limiter(shape.of(5, Duration.ofHours(1)));
    limiter.tryAcquire("u", 5);
    server.command("PERSIST", KEY);
    assertThat(limiter.tryAcquire("u").allowed()).isFalse();
    assertThat(expiryMillis(KEY)).isPositive();
  }

  @Test
  void b45AForeignKeyWithoutExpiryBlocksNobody() {
    RedisRateLimiter limiter = limiter(Shape.FIXED_WINDOW_FIRST_CHARGE.of(5, Duration.ofHours(1)));
    server.command("SET", KEY, "1000000");
    assertThat(limiter.tryAcquire("u").allowed()).isTrue();
    assertThat(expiryMillis(KEY)).isPositive();
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void refusalsAndLooksLeaveEveryByte(Shape shape) {
    RedisRateLimiter limiter = limiter(shape.of(5, Duration.ofHours(1)));
    limiter.tryAcquire("u", 4);
    Object before = server.command("DUMP", KEY);
    limiter.tryAcquire("u", 2);
    limiter.tryAcquire("u", 0);
    limiter.tryAcquire("u", 1_000_000);
    limiter.peek("u");
    limiter.peek("u", 5);
    assertThat(server.command("DUMP", KEY)).isEqualTo(before);
    limiter.peek("another");
    limiter.tryAcquire("another", 0);
    limiter.tryAcquire("another", 6);
    assertThat(keys()).containsExactly(KEY);
  }
}
