package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.FailureMode;
import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.Source;
import dev.weir.testkit.RedisCluster;
import dev.weir.testkit.RedisServer;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.JedisCluster;

/** Decisions on a Cluster of three masters with replicas that is well, or has its slots moved. */
@SuppressWarnings("NullAway.Init")
class ClusterTest {

  private static final long LIMIT = 1_000_000;
  private static final RateLimitPolicy POLICY =
      RateLimitPolicy.of("api", FixedWindow.of(LIMIT, Duration.ofHours(1)));
  private static final RateLimitPolicy TIGHT =
      RateLimitPolicy.of("api", FixedWindow.of(50, Duration.ofHours(1)));
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static RedisCluster cluster;
  private static RedisClusterClient client;

  @BeforeAll
  static void start() {
    cluster = RedisCluster.start();
    client = ClusterSetup.lettuce(cluster);
  }

  @AfterAll
  static void stop() {
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    cluster.close();
  }

  @BeforeEach
  void empty() {
    ClusterSetup.masters(cluster).forEach(master -> master.command("FLUSHALL"));
  }

  private static RedisRateLimiter.Builder lettuce(RateLimitPolicy policy) {
    return LettuceRateLimiter.builder(client, policy).timeout(PATIENCE);
  }

  @Test
  void keysOnAllMastersAreExactThroughLettuce() {
    try (RedisRateLimiter limiter = lettuce(TIGHT).build()) {
      keysOnAllMastersAreExact(limiter);
    }
  }

  @Test
  void keysOnAllMastersAreExactThroughJedis() {
    try (JedisCluster jedis = ClusterSetup.jedis(cluster, 1);
        RedisRateLimiter limiter =
            JedisRateLimiter.builder(jedis, TIGHT).timeout(PATIENCE).build()) {
      keysOnAllMastersAreExact(limiter);
    }
  }

  private static void keysOnAllMastersAreExact(RedisRateLimiter limiter) {
    for (RedisServer master : ClusterSetup.masters(cluster)) {
      List<String> keys = ClusterSetup.keysOf(cluster, master, 5);
      Traffic one = Traffic.on(limiter, keys);
      Traffic two = Traffic.on(limiter, keys);
      try (one;
          two) {
        one.awaitByRedis(40);
        two.awaitByRedis(40);
      }
      for (String key : keys) {
        assertThat(one.of(key).allowedByRedis() + two.of(key).allowedByRedis()).isEqualTo(50);
        assertThat(one.of(key).degraded() + two.of(key).degraded()).isZero();
      }
      assertThat(master.command("DBSIZE")).as("keys of this master").isEqualTo(5L);
    }
  }

  @Test
  void slotsThatMoveUnderTrafficChargeEveryCallOnceThroughLettuce() {
    try (RedisRateLimiter limiter = lettuce(POLICY).build()) {
      slotsThatMoveUnderTrafficChargeEveryCallOnce(limiter);
    }
  }

  @Test
  void slotsThatMoveUnderTrafficChargeEveryCallOnceThroughJedis() {
    // It follows MOVED and ASK only if it has attempts for that.
    try (JedisCluster jedis = ClusterSetup.jedis(cluster, 5);
        RedisRateLimiter limiter =
            JedisRateLimiter.builder(jedis, POLICY).timeout(PATIENCE).build()) {
      slotsThatMoveUnderTrafficChargeEveryCallOnce(limiter);
    }
  }

  private static void slotsThatMoveUnderTrafficChargeEveryCallOnce(RedisRateLimiter limiter) {
    List<RedisServer> masters = ClusterSetup.masters(cluster);
    List<String> keys = ClusterSetup.keysOf(cluster, masters.get(0), 4);
    Traffic traffic = Traffic.on(limiter, keys);
    try (traffic) {
      for (String key : keys) {
        int slot = ClusterSetup.slot(key);
        RedisServer home = cluster.masterOf(slot);
        for (RedisServer target : List.of(masters.get(1), masters.get(2), home)) {
          cluster.beginMigration(slot, target);
          traffic.awaitByRedis(5);
          cluster.migrateKeys(slot, target);
          traffic.awaitByRedis(5);
          cluster.endMigration(slot, target);
          traffic.awaitByRedis(5);
        }
      }
    }
    for (String key : keys) {
      Traffic.Tally told = traffic.of(key);
      assertThat(told.thrown()).isEmpty();
      assertThat(told.degraded()).as("not decided by Redis").isZero();
      assertThat(told.allowedByRedis()).isGreaterThan(60);
      assertThat(LIMIT - limiter.peek(key).remaining())
          .as("charged")
          .isEqualTo(told.allowedByRedis());
    }
  }

  @Test
  void aJedisWithOneAttemptDegradesWhileASlotMovesAndChargesNothingTwice() {
    RateLimitPolicy closed =
        RateLimitPolicy.builder("api")
            .limit(FixedWindow.of(LIMIT, Duration.ofHours(1)))
            .failureMode(FailureMode.closed())
            .build();
    List<RedisServer> masters = ClusterSetup.masters(cluster);
    String key = ClusterSetup.keysOf(cluster, masters.get(0), 1).get(0);
    int slot = ClusterSetup.slot(key);
    try (JedisCluster jedis = ClusterSetup.jedis(cluster, 1);
        RedisRateLimiter limiter =
            JedisRateLimiter.builder(jedis, closed).timeout(PATIENCE).build()) {
      Traffic traffic = Traffic.on(limiter, List.of(key));
      try (traffic) {
        for (RedisServer target : List.of(masters.get(1), masters.get(0))) {
          traffic.awaitByRedis(5);
          cluster.beginMigration(slot, target);
          cluster.migrateKeys(slot, target);
          cluster.endMigration(slot, target);
        }
        traffic.awaitByRedis(5);
      }
      assertThat(traffic.of(key).thrown()).isEmpty();
      assertThat(LIMIT - FaultCall.remaining(limiter, key))
          .as("charged")
          .isEqualTo(traffic.of(key).allowedByRedis());
    }
  }

  @Test
  void b26AFlushedScriptIsSentToEachNodeAgainAndEveryCallIsChargedOnce() {
    List<RedisServer> masters = ClusterSetup.masters(cluster);
    List<String> keys =
        masters.stream()
            .flatMap(master -> ClusterSetup.keysOf(cluster, master, 1).stream())
            .toList();
    try (RedisRateLimiter limiter = lettuce(POLICY).build()) {
      for (int round = 1; round <= 3; round++) {
        masters.forEach(master -> master.command("SCRIPT", "FLUSH"));
        List<CompletableFuture<Decision>> calls =
            IntStream.range(0, 60)
                .mapToObj(i -> limiter.tryAcquireAsync(keys.get(i % keys.size())))
                .toList();
        assertThat(calls).allMatch(call -> call.join().source() == Source.REDIS);
        for (String key : keys) {
          assertThat(LIMIT - limiter.peek(key).remaining()).isEqualTo(20L * round);
        }
      }
    }
  }

  @Test
  void aKeyThatIsFirstSeenWhileItsSlotMovesIsChargedAtTheTarget() {
    List<RedisServer> masters = ClusterSetup.masters(cluster);
    String key = ClusterSetup.keysOf(cluster, masters.get(1), 1).get(0);
    int slot = ClusterSetup.slot(key);
    try (RedisRateLimiter limiter = lettuce(POLICY).build()) {
      cluster.beginMigration(slot, masters.get(2));
      assertThat(limiter.tryAcquire(key, 3).remaining()).isEqualTo(LIMIT - 3);
      assertThat(limiter.tryAcquire(key, 3).remaining()).isEqualTo(LIMIT - 6);
      cluster.endMigration(slot, masters.get(2));
      assertThat(limiter.peek(key).remaining()).isEqualTo(LIMIT - 6);
      cluster.beginMigration(slot, masters.get(1));
      cluster.migrateKeys(slot, masters.get(1));
      cluster.endMigration(slot, masters.get(1));
      assertThat(limiter.peek(key).remaining()).isEqualTo(LIMIT - 6);
    }
  }

  @Test
  void b91LooksGoToTheMasterThoughReplicasArePreferred() {
    try (StatefulRedisClusterConnection<String, String> connection = client.connect()) {
      connection.setReadFrom(ReadFrom.REPLICA_PREFERRED);
      RedisRateLimiter limiter =
          LettuceRateLimiter.builder(connection, POLICY).timeout(PATIENCE).build();
      for (RedisServer master : ClusterSetup.masters(cluster)) {
        String key = ClusterSetup.keysOf(cluster, master, 1).get(0);
        assertThat(limiter.tryAcquire(key, 7).source()).isEqualTo(Source.REDIS);
        for (int i = 0; i < 1_000; i++) {
          assertThat(limiter.peek(key).remaining()).isEqualTo(LIMIT - 7);
        }
        RedisServer replica = cluster.replicasOf(master).get(0);
        connection.sync().get(ClusterSetup.redisKey(key) + "-of-the-application");
        assertThat(String.valueOf(replica.command("INFO", "commandstats")))
            .doesNotContain("cmdstat_eval");
      }
    }
  }
}
