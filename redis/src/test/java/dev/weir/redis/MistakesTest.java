package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.FailureCause;
import dev.weir.FailureMode;
import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiterException;
import dev.weir.RateLimiterListener;
import dev.weir.Source;
import dev.weir.testkit.RedisServer;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** B29: mistakes are thrown whatever the failure mode; outages are told once, not per call. */
class MistakesTest extends LiveRedis {

  private static final RateLimitPolicy OPEN =
      RateLimitPolicy.builder("api")
          .limit(FixedWindow.of(10, Duration.ofHours(1)))
          .failureMode(FailureMode.open())
          .build();

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Notes what it is told. */
  private static final class Notes implements RateLimiterListener {
    private final List<FailureCause> failures = new CopyOnWriteArrayList<>();
    private final List<String> breakers = new CopyOnWriteArrayList<>();
    private final List<Source> decisions = new CopyOnWriteArrayList<>();

    @Override
    public void decided(Decision decision, long nanos) {
      decisions.add(decision.source());
    }

    @Override
    public void failed(String policy, FailureCause cause) {
      failures.add(cause);
    }

    @Override
    public void breakerChanged(String shard, boolean open, FailureCause cause) {
      breakers.add((open ? "open " : "closed ") + cause.word());
    }
  }

  @ParameterizedTest
  @CsvSource({"evalsha", "time", "get", "set"})
  void aMissingPermissionIsThrownThoughThePolicyIsOpen(String command) {
    Notes notes = new Notes();
    RedisRateLimiter limiter =
        LettuceRateLimiter.builder(connection, OPEN).timeout(PATIENCE).listener(notes).build();
    limiter.tryAcquire("u");
    server.command("ACL", "SETUSER", "default", "-" + command);
    try {
      assertThatThrownBy(() -> limiter.tryAcquire("u"))
          .isInstanceOf(RateLimiterException.class)
          .hasMessageContaining("policy 'api'")
          .hasMessageContaining("(no-permission)")
          .hasMessageContaining("Allow the user evalsha");
      assertThat(notes.failures).containsExactly(FailureCause.NO_PERMISSION);
      assertThat(notes.breakers).isEmpty();
    } finally {
      server.command("ACL", "SETUSER", "default", "+" + command);
    }
    assertThat(limiter.tryAcquire("u").source()).isEqualTo(Source.REDIS);
  }

  @Test
  void aMissingPasswordIsThrown() {
    try (RedisServer guarded = RedisServer.start();
        UnauthenticatedJedis jedis = new UnauthenticatedJedis(guarded)) {
      guarded.command("CONFIG", "SET", "requirepass", "secret");
      RedisRateLimiter limiter =
          JedisRateLimiter.builder(jedis.pool(), OPEN).timeout(PATIENCE).build();
      assertThatThrownBy(() -> limiter.tryAcquire("u"))
          .isInstanceOf(RateLimiterException.class)
          .hasMessageContaining("(no-authentication)")
          .hasMessageContaining("user and password");
    }
  }

  /** A pool that knows no password. */
  private record UnauthenticatedJedis(redis.clients.jedis.JedisPool pool) implements AutoCloseable {
    UnauthenticatedJedis(RedisServer server) {
      this(new redis.clients.jedis.JedisPool(server.host(), server.port()));
    }

    @Override
    public void close() {
      pool.close();
    }
  }

  @Test
  void b28FiftyCallersMeetAnOutageTogetherAndItIsToldOnce() {
    try (RedisServer own = RedisServer.start()) {
      RedisClient ownClient = RedisClient.create(own.uri());
      Notes notes = new Notes();
      try (RedisRateLimiter limiter =
          LettuceRateLimiter.builder(ownClient, OPEN)
              .probeInterval(Duration.ofMillis(20))
              .listener(notes)
              .build()) {
        while (limiter.peek("warm").source() != Source.REDIS) {
          Thread.onSpinWait();
        }
        notes.breakers.clear();
        own.pause();
        long start = System.nanoTime();
        List<CompletableFuture<Decision>> calls =
            IntStream.range(0, 50).mapToObj(i -> limiter.tryAcquireAsync("u" + i)).toList();
        calls.forEach(CompletableFuture::join);
        assertThat(System.nanoTime() - start).isLessThan(1_000_000_000L);
        for (int i = 0; i < 6_000; i++) {
          assertThat(limiter.tryAcquire("u").source()).isEqualTo(Source.DEGRADED_OPEN);
        }
        assertThat(System.nanoTime() - start).as("6,050 decisions").isLessThan(5_000_000_000L);
        own.resume();
        while (limiter.tryAcquire("u").source() != Source.REDIS) {
          Thread.onSpinWait();
        }
        assertThat(notes.breakers).containsExactly("open timeout", "closed timeout");
      } finally {
        ownClient.shutdown(Duration.ZERO, Duration.ofSeconds(2));
      }
    }
  }
}
