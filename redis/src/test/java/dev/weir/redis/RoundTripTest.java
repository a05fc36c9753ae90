package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.FixedWindow;
import dev.weir.Source;
import dev.weir.TokenBucket;
import dev.weir.testkit.RedisVersion;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** One script call for a decision, and one charge for a call, also when scripts are unknown. */
class RoundTripTest extends LiveRedis {

  private static final FixedWindow HOURLY = FixedWindow.of(100, Duration.ofHours(1));

  @Test
  void aDecisionIsOneEvalsha() {
    RedisRateLimiter limiter = limiter(HOURLY, TokenBucket.smooth(50, 1, Duration.ofHours(1)));
    Decision first = limiter.tryAcquire("u");
    assertThat(first.source()).isEqualTo(Source.REDIS);
    server.command("CONFIG", "RESETSTAT");
    for (int i = 0; i < 10; i++) {
      limiter.tryAcquire("u", i == 9 ? 99 : 1);
      limiter.peek("u");
    }
    assertThat(calls("evalsha")).isEqualTo(20);
    assertThat(calls("eval")).isZero();
    assertThat(calls("set")).isEqualTo(9);
    assertThat(keys()).hasSize(1);
  }

  @Test
  void b26AnUnknownScriptIsSentOnceAndEveryCallIsChargedOnce() {
    RedisRateLimiter limiter = limiter(HOURLY);
    limiter.tryAcquire("u");
    server.command("SCRIPT", "FLUSH");
    List<CompletableFuture<Decision>> calls =
        IntStream.range(0, 50).mapToObj(i -> limiter.tryAcquireAsync("u")).toList();
    assertThat(calls).allMatch(call -> call.join().allowed());
    assertThat(limiter.peek("u").remaining()).isEqualTo(49);
    server.command("SCRIPT", "FLUSH");
    assertThat(limiter.peek("u").remaining()).isEqualTo(49);
    server.command("SCRIPT", "FLUSH");
    limiter.reset("u");
    assertThat(limiter.peek("u").remaining()).isEqualTo(100);
    server.command("CONFIG", "RESETSTAT");
    limiter.tryAcquire("u");
    assertThat(calls("eval")).as("loaded once, it stays").isZero();
  }

  @Test
  void aRestartedServerIsUsedAgain() {
    try (dev.weir.testkit.RedisServer own =
        dev.weir.testkit.RedisServer.start(RedisVersion.usual())) {
      io.lettuce.core.RedisClient ownClient = io.lettuce.core.RedisClient.create(own.uri());
      try (RedisRateLimiter limiter =
          LettuceRateLimiter.builder(ownClient, dev.weir.RateLimitPolicy.of("api", HOURLY))
              .timeout(Duration.ofSeconds(10))
              .build()) {
        limiter.tryAcquire("u");
        own.kill();
        own.restart();
        assertThat(limiter.tryAcquire("u").remaining()).isEqualTo(99);
      } finally {
        ownClient.shutdown(Duration.ZERO, Duration.ofSeconds(2));
      }
    }
  }

  @Test
  void b74ResetLeavesNoKeyWhateverThePrefix() {
    RedisRateLimiter limiter =
        LettuceRateLimiter.builder(connection, dev.weir.RateLimitPolicy.of("api", HOURLY))
            .keyPrefix("my:app")
            .timeout(Duration.ofSeconds(10))
            .build();
    limiter.tryAcquire("u", 100);
    assertThat(keys()).containsExactly("my:app:{api:u}");
    limiter.reset("u");
    assertThat(keys()).isEmpty();
    assertThat(limiter.tryAcquire("u").remaining()).isEqualTo(99);
  }

  @Test
  void b93PrefixesKeepApplicationsApart() {
    RedisRateLimiter one = limiter(FixedWindow.of(1, Duration.ofHours(1)));
    RedisRateLimiter other =
        LettuceRateLimiter.builder(connection, dev.weir.RateLimitPolicy.of("api", HOURLY))
            .keyPrefix("other")
            .timeout(Duration.ofSeconds(10))
            .build();
    assertThat(one.tryAcquire("u").allowed()).isTrue();
    assertThat(other.tryAcquire("u").remaining()).isEqualTo(99);
    assertThat(one.tryAcquire("u").allowed()).isFalse();
  }
}
