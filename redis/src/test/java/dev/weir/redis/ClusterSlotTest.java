package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.SlidingWindowLog;
import dev.weir.testkit.RedisServer;
import dev.weir.testkit.RedisVersion;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisCluster;

/** B23: on a real Cluster node every key text works, through both clients. */
@SuppressWarnings("NullAway.Init")
class ClusterSlotTest {

  private static final RateLimitPolicy POLICY =
      RateLimitPolicy.builder("api")
          .limit("hour", FixedWindow.of(3, Duration.ofHours(1)))
          .limit("day", SlidingWindowLog.of(5, Duration.ofDays(1)))
          .build();

  private static final List<String> KEYS =
      List.of(
          "u1",
          "}",
          "{}",
          "{x}",
          "a}b{c",
          "",
          "}{",
          "x".repeat(10_000),
          "\u00e9\ud83d\ude00",
          "\0");

  private static RedisServer server;

  @BeforeAll
  static void start() {
    server =
        RedisServer.start(
            RedisVersion.usual(),
            "--cluster-enabled",
            "yes",
            "--cluster-config-file",
            "nodes-" + System.nanoTime() + ".conf");
    server.command("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
    for (int i = 0; i < 5_000; i++) {
      if (String.valueOf(server.command("CLUSTER", "INFO")).contains("cluster_state:ok")) {
        return;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
    throw new IllegalStateException("the Cluster did not form");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void everyKeyWorks(RateLimiter limiter) {
    for (String key : KEYS) {
      limiter.reset(key);
      assertThat(limiter.tryAcquire(key, 2).remaining()).isEqualTo(1);
      assertThat(limiter.tryAcquire(key, 2).limitedBy()).contains("hour");
      assertThat(limiter.peek(key).remaining()).isEqualTo(1);
    }
  }

  @Test
  void throughLettuce() {
    RedisClusterClient client = RedisClusterClient.create(server.uri());
    try (RedisRateLimiter limiter =
        LettuceRateLimiter.builder(client, POLICY).timeout(Duration.ofSeconds(10)).build()) {
      everyKeyWorks(limiter);
    } finally {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
  }

  @Test
  void throughJedis() {
    try (JedisCluster jedis =
            new JedisCluster(Set.of(new HostAndPort(server.host(), server.port())));
        RedisRateLimiter limiter =
            JedisRateLimiter.builder(jedis, POLICY).timeout(Duration.ofSeconds(10)).build()) {
      everyKeyWorks(limiter);
    }
  }
}
