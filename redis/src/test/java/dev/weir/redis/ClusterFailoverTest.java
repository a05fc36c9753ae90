package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FailureMode;
import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.Source;
import dev.weir.testkit.Await;
import dev.weir.testkit.RedisCluster;
import dev.weir.testkit.RedisServer;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.JedisCluster;

/** B27: masters of a Cluster die under traffic, and only their own keys notice. */
@SuppressWarnings("NullAway.Init")
class ClusterFailoverTest {

  private static final RateLimitPolicy POLICY =
      RateLimitPolicy.builder("api")
          .limit(FixedWindow.of(1_000_000, Duration.ofHours(1)))
          .failureMode(FailureMode.closed())
          .build();
  // Two cores have six nodes and the callers to run: threads may be late by themselves, and nobody
  // is to degrade for that.
  private static final Duration BUDGET = Duration.ofMillis(300);
  private static final long IN_TIME_MILLIS = 700;

  private RedisCluster cluster;
  private RedisClusterClient client;
  private RedisRateLimiter lettuce;
  private JedisCluster jedisClient;
  private RedisRateLimiter jedis;

  @BeforeEach
  void start() {
    cluster = RedisCluster.start();
    client = ClusterSetup.lettuce(cluster);
  }

  private void startLimiters() {
    jedisClient = ClusterSetup.jedis(cluster, 1);
    lettuce =
        LettuceRateLimiter.builder(client, POLICY).keyPrefix("lettuce").timeout(BUDGET).build();
    jedis =
        JedisRateLimiter.builder(jedisClient, POLICY).keyPrefix("jedis").timeout(BUDGET).build();
  }

  @AfterEach
  void stop() {
    Stream.of(lettuce, jedis, jedisClient)
        .filter(java.util.Objects::nonNull)
        .forEach(FaultBench::close);
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    cluster.close();
  }

  @Test
  void aMasterThatDiesDegradesItsShardUntilItsReplicaIsPromoted() {
    startLimiters();
    List<RedisServer> masters = ClusterSetup.masters(cluster);
    RedisServer victim = masters.get(0);
    List<String> ofVictim = ClusterSetup.keysOf(cluster, victim, 2);
    List<String> others =
        Stream.of(masters.get(1), masters.get(2))
            .flatMap(master -> ClusterSetup.keysOf(cluster, master, 1).stream())
            .toList();
    List<String> keys = Stream.concat(ofVictim.stream(), others.stream()).toList();
    warmUp(keys);
    Traffic throughLettuce = Traffic.on(lettuce, keys);
    Traffic throughJedis = Traffic.on(jedis, keys);
    try (throughLettuce;
        throughJedis) {
      throughLettuce.awaitByRedis(20);
      throughJedis.awaitByRedis(20);
      victim.kill();
      Duration promoted =
          cluster.awaitMaster(
              ClusterSetup.slot(ofVictim.get(0)), cluster.replicasOf(victim).get(0));
      long start = System.nanoTime();
      throughLettuce.awaitByRedis(20);
      throughJedis.awaitByRedis(20);
      System.out.printf(
          "cluster: promoted after %d ms, Redis decides again %d ms later; degraded: lettuce %d,"
              + " jedis %d%n",
          promoted.toMillis(),
          (System.nanoTime() - start) / 1_000_000,
          throughLettuce.of(ofVictim.get(0)).degraded(),
          throughJedis.of(ofVictim.get(0)).degraded());
    }
    for (Traffic traffic : List.of(throughLettuce, throughJedis)) {
      assertThat(traffic.slowestMillis()).as("slowest").isLessThan(IN_TIME_MILLIS);
      for (String key : keys) {
        assertThat(traffic.of(key).thrown()).as(key).isEmpty();
      }
      for (String key : ofVictim) {
        assertThat(traffic.of(key).degraded()).as("degraded " + key).isPositive();
      }
      for (String key : others) {
        assertThat(traffic.of(key).degraded()).as("degraded " + key).isZero();
      }
    }
  }

  private void warmUp(List<String> keys) {
    for (String key : keys) {
      for (int i = 0; i < 20; i++) {
        Duration unused = ClusterSetup.awaitRedis(lettuce, key);
        Duration unusedToo = ClusterSetup.awaitRedis(jedis, key);
      }
    }
  }

  @Test
  void aDeadShardLeavesTheOthersAlone() {
    startLimiters();
    List<RedisServer> masters = ClusterSetup.masters(cluster);
    RedisServer victim = masters.get(2);
    List<String> keys =
        masters.stream()
            .flatMap(master -> ClusterSetup.keysOf(cluster, master, 1).stream())
            .toList();
    warmUp(keys);
    cluster.replicasOf(victim).forEach(RedisServer::kill);
    victim.kill();
    long start = System.nanoTime();
    Traffic throughLettuce = Traffic.on(lettuce, keys);
    Traffic throughJedis = Traffic.on(jedis, keys);
    try (throughLettuce;
        throughJedis) {
      // Long enough for the others to know that the shard is dead.
      Duration unused =
          Await.until(
              "three seconds of traffic",
              ClusterSetup.RECOVERY,
              () -> System.nanoTime() - start > 3_000_000_000L);
    }
    for (Traffic traffic : List.of(throughLettuce, throughJedis)) {
      assertThat(traffic.slowestMillis()).as("slowest").isLessThan(IN_TIME_MILLIS);
      assertThat(traffic.of(keys.get(0)).degraded()).isZero();
      assertThat(traffic.of(keys.get(1)).degraded()).isZero();
      assertThat(traffic.of(keys.get(2)).thrown()).isEmpty();
      assertThat(traffic.of(keys.get(2)).byRedis()).isZero();
      assertThat(traffic.of(keys.get(2)).degraded()).isPositive();
    }
    victim.restart();
    assertThat(ClusterSetup.awaitRedis(lettuce, keys.get(2))).isPositive();
    assertThat(ClusterSetup.awaitRedis(jedis, keys.get(2))).isPositive();
  }

  @Test
  void b27ALimiterStartsThoughAListedReplicaIsDead() {
    List<RedisServer> masters = ClusterSetup.masters(cluster);
    RedisServer dead = cluster.replicasOf(masters.get(0)).get(0);
    dead.kill();
    startLimiters();
    assertThat(lettuce.check()).isEmpty();
    assertThat(jedis.check()).isEmpty();
    masters.get(1).kill();
    for (RedisServer master : List.of(masters.get(0), masters.get(2))) {
      for (String key : ClusterSetup.keysOf(cluster, master, 3)) {
        assertThat(lettuce.tryAcquire(key).source()).isEqualTo(Source.REDIS);
        assertThat(jedis.tryAcquire(key).source()).isEqualTo(Source.REDIS);
      }
    }
  }
}
