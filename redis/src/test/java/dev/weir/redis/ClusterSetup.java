package dev.weir.redis;

import dev.weir.Source;
import dev.weir.testkit.Await;
import dev.weir.testkit.RedisCluster;
import dev.weir.testkit.RedisServer;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisCluster;

/** Clients of a Cluster as an application sets them up, and keys by shard. */
final class ClusterSetup {

  static final Duration RECOVERY = Duration.ofSeconds(20);

  private ClusterSetup() {}

  /** Lettuce that looks for changed masters every few seconds, and when something fails. */
  static RedisClusterClient lettuce(RedisCluster cluster) {
    RedisClusterClient client =
        RedisClusterClient.create(cluster.uris().stream().map(RedisURI::create).toList());
    client.setOptions(
        ClusterClientOptions.builder()
            .topologyRefreshOptions(
                ClusterTopologyRefreshOptions.builder()
                    .enablePeriodicRefresh(Duration.ofSeconds(5))
                    .adaptiveRefreshTriggersTimeout(Duration.ofMillis(500))
                    .build())
            .build());
    return client;
  }

  /** Jedis; with one attempt it sends nothing twice. */
  static JedisCluster jedis(RedisCluster cluster, int attempts) {
    Set<HostAndPort> addresses =
        cluster.nodes().stream()
            .map(node -> new HostAndPort(node.host(), node.port()))
            .collect(Collectors.toSet());
    return new JedisCluster(addresses, DefaultJedisClientConfig.builder().build(), attempts);
  }

  /** The Redis key of a key of policy {@code api}. */
  static String redisKey(String key) {
    return "weir:{api:" + key + "}";
  }

  static int slot(String key) {
    return Slots.of(redisKey(key).getBytes(StandardCharsets.US_ASCII));
  }

  /** That many keys of the policy {@code api} which this master has. */
  static List<String> keysOf(RedisCluster cluster, RedisServer master, int count) {
    List<String> keys = new ArrayList<>();
    for (int i = 0; keys.size() < count; i++) {
      if (cluster.isMasterOf(slot("u" + i), master)) {
        keys.add("u" + i);
      }
    }
    return keys;
  }

  /** The three masters. */
  static List<RedisServer> masters(RedisCluster cluster) {
    List<RedisServer> masters = new ArrayList<>();
    for (int shard = 0; shard < RedisCluster.SHARDS; shard++) {
      masters.add(cluster.masterOf(RedisCluster.firstSlot(shard)));
    }
    return masters;
  }

  /** Asks until Redis decides; returns how long that took. */
  static Duration awaitRedis(RedisRateLimiter limiter, String key) {
    return Await.until(
        "a decision of Redis on " + key,
        RECOVERY,
        () -> limiter.peek(key).source() == Source.REDIS);
  }
}
