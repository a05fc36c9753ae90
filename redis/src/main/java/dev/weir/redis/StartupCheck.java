package dev.weir.redis;

import dev.weir.RateLimiterException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Runs check.lua on every shard, and says what is not as a limiter needs it. */
final class StartupCheck {

  private static final int OLDEST_POSSIBLE = 5_00_00;
  private static final int OLDEST_TESTED = 6_02_00;

  /** Enough keys to have one in every shard that has a fair share of the slots. */
  private static final int KEYS = 1_000;

  /** Enough keys to meet a slot of another node if there is one. */
  private static final int KEYS_FOR_OTHER_NODES = 32;

  private static final int MOST_NAMED = 3;

  private final RedisScripts redis;
  private final Duration timeout;
  private final String script = Script.resource("lua/check.lua");

  StartupCheck(RedisScripts redis, Duration timeout) {
    this.redis = redis;
    this.timeout = timeout;
  }

  /** The limiter's keys to check with: one for each shard. */
  static List<String> keys(RedisScripts redis, Function<String, byte[]> naming) {
    Map<String, String> byShard = new LinkedHashMap<>();
    for (int i = 0; i < KEYS; i++) {
      byShard.putIfAbsent(redis.shardOf(naming.apply(key(i))), key(i));
    }
    return List.copyOf(byShard.values());
  }

  private static String key(int number) {
    return "weir-check-" + number;
  }

  /**
   * Looks at each shard.
   *
   * @param naming makes the Redis key of a limiter's key
   * @return a sentence for each thing that will not stop the limiter and should be known
   * @throws RateLimiterException if Redis cannot make decisions
   * @throws java.util.concurrent.CompletionException if it does not carry out what they need
   */
  List<String> run(List<String> keys, Function<String, byte[]> naming) {
    Map<String, List<String>> shards = new LinkedHashMap<>();
    for (String key : keys) {
      byte[] redisKey = naming.apply(key);
      List<Long> found = ask(redisKey);
      if (isClusterNode(found) && !redis.isCluster()) {
        meetOtherNodes(naming);
      }
      for (String warning : warnings(found, redis.isCluster())) {
        shards.computeIfAbsent(warning, w -> new ArrayList<>()).add(redis.shardOf(redisKey));
      }
    }
    List<String> warnings = new ArrayList<>();
    shards.forEach(
        (warning, seen) ->
            warnings.add(
                seen.size() == keys.size() ? warning : warning + " Seen on " + some(seen) + "."));
    return warnings;
  }

  private static String some(List<String> shards) {
    List<String> named = shards.stream().sorted().limit(MOST_NAMED).toList();
    int others = shards.size() - named.size();
    return String.join(", ", named) + (others == 0 ? "" : " and " + others + " more");
  }

  private List<Long> ask(byte[] redisKey) {
    return redis
        .eval(script, List.of(redisKey), List.of())
        .orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
        .join();
  }

  /** Fails with Redis' own error, MOVED, if the client's node has only some of the slots. */
  private void meetOtherNodes(Function<String, byte[]> naming) {
    for (int i = 0; i < KEYS_FOR_OTHER_NODES; i++) {
      ask(naming.apply(key(i)));
    }
  }

  private static boolean isClusterNode(List<Long> found) {
    return found.get(5) == 1;
  }

  /** What the numbers of check.lua mean. Pure. */
  static List<String> warnings(List<Long> found, boolean clusterClient) {
    long version = found.get(0);
    if (version > 0 && version < OLDEST_POSSIBLE) {
      throw new RateLimiterException(
          "Redis is version %s, whose scripts cannot write after they read the time: upgrade it to"
                  .formatted(text(version))
              + " 6.2 or newer.",
          null);
    }
    List<String> warnings = new ArrayList<>();
    if (version > 0 && version < OLDEST_TESTED) {
      warnings.add(
          "Redis is version %s, and the oldest that Weir is tested on is 6.2: upgrade it."
              .formatted(text(version)));
    }
    if (found.get(1) == 0) {
      warnings.add(
          "Redis does not allow this user to look at its version, its role, its maxmemory-policy or"
              + " the state of its Cluster: allow info and cluster|info, or look at them"
              + " yourself.");
    }
    if (found.get(2) == 1) {
      warnings.add(
          "Redis is a replica that takes writes, and what is charged there is lost when it"
              + " synchronizes: connect to the master, or through Sentinel or Cluster.");
    }
    if (found.get(3) == 1 && found.get(4) == 1) {
      warnings.add(
          "Redis evicts keys when its memory is full, and an evicted key is a fresh limit: set"
              + " maxmemory-policy to noeviction, or give the limits a Redis of their own and"
              + " watch evicted_keys.");
    }
    if (isClusterNode(found) && !clusterClient) {
      warnings.add(
          "Redis is the only node of a Cluster and the client is not a Cluster client, so that"
              + " decisions fail when slots move to a second one: connect with a Cluster client,"
              + " which is RedisClusterClient of Lettuce or JedisCluster of Jedis.");
    }
    if (found.get(6) > 0) {
      warnings.add(
          "%d of the Cluster's 16384 slots are served by no node, and keys in them are not decided:"
                  .formatted(found.get(6))
              + " look at CLUSTER NODES, then restart what failed or assign the slots.");
    }
    return warnings;
  }

  private static String text(long version) {
    return "%d.%d.%d".formatted(version / 10_000, version / 100 % 100, version % 100);
  }
}
