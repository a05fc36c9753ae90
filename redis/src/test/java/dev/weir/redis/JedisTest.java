package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.CalendarUnit;
import dev.weir.CalendarWindow;
import dev.weir.FailureCause;
import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.Source;
import dev.weir.testkit.RedisServer;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisPool;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.PooledConnectionProvider;

/**
 * Limiters through Jedis. The build runs this class on the Jedis it compiles with, and again on
 * each later major version: see the pom.
 */
@SuppressWarnings("NullAway.Init")
class JedisTest {

  private static final RateLimitPolicy POLICY =
      RateLimitPolicy.of("api", FixedWindow.of(3, Duration.ofHours(1)));

  private static RedisServer server;

  @BeforeAll
  static void start() {
    System.out.println(
        "Jedis: " + UnifiedJedis.class.getProtectionDomain().getCodeSource().getLocation());
    server = RedisServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void aUnifiedJedis() {
    try (UnifiedJedis jedis = jedis()) {
      works(JedisRateLimiter.builder(jedis, POLICY));
    }
  }

  @Test
  void aJedisPool() {
    try (JedisPool pool = new JedisPool(server.host(), server.port())) {
      works(JedisRateLimiter.builder(pool, POLICY));
      works(JedisRateLimiter.builder(pool, Runnable::run, POLICY));
    }
  }

  @Test
  void aCalendarWhoseWindowsAreAskedForAgain() {
    RateLimitPolicy monthly =
        RateLimitPolicy.of("api", CalendarWindow.of(3, CalendarUnit.MONTH, ZoneOffset.UTC));
    try (JedisPool pool = new JedisPool(server.host(), server.port())) {
      for (RedisRateLimiter.Builder builder :
          List.of(
              JedisRateLimiter.builder(pool, monthly),
              JedisRateLimiter.builder(pool, Runnable::run, monthly))) {
        server.command("FLUSHALL");
        RedisRateLimiter limiter =
            builder.timeout(Duration.ofSeconds(10)).serverClock(new ServerClock(() -> 0)).build();
        assertThat(limiter.tryAcquire("u", 2).remaining()).isEqualTo(1);
        assertThat(limiter.tryAcquire("u", 2).limitedBy()).contains("calendar-window");
        assertThat(limiter.peek("u").source()).isEqualTo(Source.REDIS);
        limiter.close();
      }
    }
  }

  /** By the one public constructor that Jedis 5 to 8 have in common; nothing is sent twice. */
  private static UnifiedJedis jedis() {
    return new UnifiedJedis(
        new PooledConnectionProvider(new HostAndPort(server.host(), server.port())),
        1,
        Duration.ofSeconds(5));
  }

  private static void works(RedisRateLimiter.Builder builder) {
    server.command("FLUSHALL");
    server.command("SCRIPT", "FLUSH");
    try (RedisRateLimiter limiter = builder.timeout(Duration.ofSeconds(10)).build()) {
      assertThat(limiter.tryAcquire("u", 2).remaining()).isEqualTo(1);
      assertThat(limiter.peek("u", 2).allowed()).isFalse();
      assertThat(limiter.tryAcquireAsync("u").join().remaining()).isZero();
      assertThat(limiter.tryAcquire("u").limitedBy()).contains("fixed-window");
      limiter.reset("u");
      assertThat(limiter.tryAcquire("u").remaining()).isEqualTo(2);
    }
    // A probe of another test's breaker may have left its own key, for a moment.
    assertThat((List<?>) server.command("KEYS", "*"))
        .filteredOn(key -> !String.valueOf(key).endsWith(":probe"))
        .hasSize(1);
  }

  @Test
  void b03ASilentRedisIsBoundedByTheLimitersTimeout() {
    try (UnifiedJedis jedis = jedis();
        RedisRateLimiter limiter = JedisRateLimiter.create(jedis, POLICY)) {
      limiter.peek("u");
      server.pause();
      try {
        long start = System.nanoTime();
        assertThat(limiter.tryAcquire("u").failure()).contains(FailureCause.TIMEOUT);
        // Resuming starts a process, which takes its own time.
        assertThat(System.nanoTime() - start).isLessThan(1_000_000_000L);
      } finally {
        server.resume();
      }
    }
  }
}
