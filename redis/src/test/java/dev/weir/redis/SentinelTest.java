package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FailureMode;
import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.Source;
import dev.weir.testkit.RedisSentinels;
import dev.weir.testkit.RedisServer;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.masterreplica.MasterReplica;
import io.lettuce.core.masterreplica.StatefulRedisMasterReplicaConnection;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisSentineled;

/** Limiters on a master with two replicas that three Sentinels watch. */
@SuppressWarnings("NullAway.Init")
class SentinelTest {

  private static final RateLimitPolicy POLICY =
      RateLimitPolicy.builder("api")
          .limit(FixedWindow.of(1_000_000, Duration.ofHours(1)))
          .failureMode(FailureMode.closed())
          .build();
  private static final long IN_TIME_MILLIS = 500;
  private static final List<String> KEYS = List.of("u1", "u2");

  private static RedisSentinels redis;
  private static RedisClient client;
  private static JedisSentineled jedisClient;

  @BeforeAll
  static void start() {
    redis = RedisSentinels.start();
    client = RedisClient.create(uri());
    jedisClient =
        new JedisSentineled(
            RedisSentinels.MASTER,
            DefaultJedisClientConfig.builder().build(),
            redis.sentinels().stream()
                .map(sentinel -> new HostAndPort(sentinel.host(), sentinel.port()))
                .collect(Collectors.toSet()),
            DefaultJedisClientConfig.builder().build());
  }

  @AfterAll
  static void stop() {
    jedisClient.close();
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    redis.close();
  }

  private static RedisURI uri() {
    RedisServer first = redis.sentinels().get(0);
    RedisURI.Builder uri =
        RedisURI.Builder.sentinel(first.host(), first.port(), RedisSentinels.MASTER);
    redis.sentinels().stream()
        .skip(1)
        .forEach(sentinel -> uri.withSentinel(sentinel.host(), sentinel.port()));
    return uri.build();
  }

  @Test
  void b22AFailoverUnderTrafficPassesWithinSeconds() {
    failOverUnderTraffic("asked for", RedisSentinels::failOver);
  }

  @Test
  void aMasterThatDiesIsReplacedWithinSeconds() {
    failOverUnderTraffic(
        "dead master",
        sentinels -> {
          RedisServer dead = sentinels.master();
          dead.kill();
          sentinels.awaitMasterOtherThan(dead);
          dead.restart();
        });
  }

  private static void failOverUnderTraffic(
      String what, java.util.function.Consumer<RedisSentinels> failOver) {
    try (RedisRateLimiter lettuce =
            LettuceRateLimiter.builder(client, POLICY).keyPrefix("lettuce").build();
        RedisRateLimiter jedis =
            JedisRateLimiter.builder(jedisClient, POLICY).keyPrefix("jedis").build()) {
      for (int i = 0; i < 40; i++) {
        Duration unused = ClusterSetup.awaitRedis(lettuce, KEYS.get(i % 2));
        Duration unusedToo = ClusterSetup.awaitRedis(jedis, KEYS.get(i % 2));
      }
      Traffic throughLettuce = Traffic.on(lettuce, KEYS);
      Traffic throughJedis = Traffic.on(jedis, KEYS);
      long start;
      try (throughLettuce;
          throughJedis) {
        throughLettuce.awaitByRedis(20);
        throughJedis.awaitByRedis(20);
        start = System.nanoTime();
        failOver.accept(redis);
        throughLettuce.awaitByRedis(20);
        throughJedis.awaitByRedis(20);
      }
      for (String prefix : List.of("lettuce", "jedis")) {
        assertThat(redis.master().command("EXISTS", prefix + ":{api:u1}")).isEqualTo(1L);
      }
      System.out.printf(
          "sentinel: %s: Redis decides again after %d ms; degraded: lettuce %d, jedis %d%n",
          what,
          (System.nanoTime() - start) / 1_000_000,
          throughLettuce.of("u1").degraded(),
          throughJedis.of("u1").degraded());
      for (Traffic traffic : List.of(throughLettuce, throughJedis)) {
        assertThat(traffic.slowestMillis()).as("slowest").isLessThan(IN_TIME_MILLIS);
        KEYS.forEach(key -> assertThat(traffic.of(key).thrown()).isEmpty());
      }
    }
  }

  @Test
  void b91LooksGoToTheMasterThoughReplicasArePreferred() {
    try (StatefulRedisMasterReplicaConnection<String, String> connection =
        MasterReplica.connect(client, StringCodec.UTF8, uri())) {
      connection.setReadFrom(ReadFrom.REPLICA_PREFERRED);
      RedisRateLimiter limiter =
          LettuceRateLimiter.builder(connection, POLICY)
              .keyPrefix("b91")
              .timeout(Duration.ofSeconds(10))
              .build();
      for (int charged = 1; charged <= 3; charged++) {
        assertThat(limiter.tryAcquire("u").source()).isEqualTo(Source.REDIS);
        for (int i = 0; i < 1_000; i++) {
          assertThat(limiter.peek("u").remaining()).isEqualTo(1_000_000 - charged);
        }
      }
    }
  }
}
