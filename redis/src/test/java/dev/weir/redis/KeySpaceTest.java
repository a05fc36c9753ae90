package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimitPolicy;
import dev.weir.testkit.RedisConnection;
import dev.weir.testkit.Shape;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** B54, B74, B93: what others see of the keys in Redis, and what is left of them after a reset. */
class KeySpaceTest extends LiveRedis {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final String SECRET = "sk_live_51H8secret";

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b54AHashedKeyLeavesNothingOfItselfInRedis(Shape shape) {
    RedisRateLimiter limiter =
        LettuceRateLimiter.builder(connection, RateLimitPolicy.of("api", shape.of(5, HOUR)))
            .timeout(Duration.ofSeconds(10))
            .hashKeys(true)
            .build();
    limiter.tryAcquire(SECRET);
    limiter.peek(SECRET + "2");
    assertThat(scan()).hasSize(1);
    for (String key : scan()) {
      assertThat(key).doesNotContain("secret").startsWith("weir:{api:#");
      assertThat(String.valueOf(server.command("DUMP", key))).doesNotContain("secret");
    }
    assertThat(limiter.peek(SECRET).remaining()).isEqualTo(4);
    limiter.reset(SECRET);
    assertThat(scan()).isEmpty();
  }

  private static List<String> scan() {
    List<?> reply =
        (List<?>) Objects.requireNonNull(server.command("SCAN", "0", "COUNT", "100000"));
    return ((List<?>) reply.get(1)).stream().map(String::valueOf).toList();
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b74ResetLeavesNoKeyInAnyDatabase(Shape shape) {
    RateLimitPolicy policy =
        RateLimitPolicy.of("api", shape.of(3, HOUR), Shape.SLIDING_WINDOW_LOG.of(9, HOUR));
    RedisURI fifth =
        RedisURI.builder().withHost(server.host()).withPort(server.port()).withDatabase(5).build();
    try (StatefulRedisConnection<String, String> own = client.connect(fifth);
        RedisConnection seen = new RedisConnection(server.host(), server.port())) {
      RedisRateLimiter limiter =
          LettuceRateLimiter.builder(own, policy)
              .timeout(Duration.ofSeconds(10))
              .keyPrefix("tenant/7")
              .build();
      seen.command("SELECT", "5");
      for (int i = 0; i < 5; i++) {
        assertThat(limiter.tryAcquire("u").allowed()).isEqualTo(i < 3);
      }
      assertThat(seen.command("DBSIZE")).isEqualTo(1L);
      assertThat(server.command("DBSIZE")).isEqualTo(0L);
      limiter.reset("u");
      assertThat(seen.command("DBSIZE")).isEqualTo(0L);
      assertThat(limiter.tryAcquire("u").remaining()).isEqualTo(2);
    }
  }

  @Test
  void b93OneKeyUnderManyPoliciesAndPrefixesIsManyBuckets() {
    for (String prefix : List.of("weir", "weir:a", "a", "a:", ":", "a/b")) {
      for (String policy : List.of("a", "b", "a.b", "a-b", "weir")) {
        RedisRateLimiter limiter =
            LettuceRateLimiter.builder(
                    connection,
                    RateLimitPolicy.of(policy, Shape.FIXED_WINDOW_FIRST_CHARGE.of(1, HOUR)))
                .timeout(Duration.ofSeconds(10))
                .keyPrefix(prefix)
                .build();
        for (String key : List.of("", "a", "b:a", "a:b", "{a", "}", "weir:{a:a}")) {
          assertThat(limiter.tryAcquire(key).allowed()).as(prefix + policy + key).isTrue();
          assertThat(limiter.tryAcquire(key).allowed()).as(prefix + policy + key).isFalse();
        }
      }
    }
  }
}
