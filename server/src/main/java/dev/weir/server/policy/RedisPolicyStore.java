package dev.weir.server.policy;

import static dev.weir.server.policy.RedisReplies.await;
import static dev.weir.server.policy.RedisReplies.bytes;
import static dev.weir.server.policy.RedisReplies.text;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Policies in Redis, where all services on it find them: a number, and a hash for each version. No
 * limiter's key has such a name.
 */
final class RedisPolicyStore implements PolicyStore {

  private static final String NEWEST = "weir:{@policies}:newest";
  private static final String VERSION = "weir:{@policies}:version:";

  // KEYS: newest, the version's own, the one that is too old. ARGV: number before, then its fields.
  private static final String ADD =
      """
      if tonumber(redis.call('GET', KEYS[1]) or '0') ~= tonumber(ARGV[1]) then return 0 end
      redis.call('HSET', KEYS[2], 'author', ARGV[2], 'note', ARGV[3], 'at', ARGV[4],
        'policies', ARGV[5])
      redis.call('SET', KEYS[1], ARGV[1] + 1)
      redis.call('DEL', KEYS[3])
      return 1
      """;

  private final RedisAsyncCommands<byte[], byte[]> redis;

  RedisPolicyStore(StatefulRedisConnection<byte[], byte[]> connection) {
    this.redis = connection.async();
  }

  @Override
  public long newest() {
    byte[] number = await(redis.get(bytes(NEWEST)));
    return number == null ? 0 : Long.parseLong(text(number));
  }

  @Override
  public Optional<PolicyVersion> version(long number) {
    Map<String, String> fields = new HashMap<>();
    Map<byte[], byte[]> found = await(redis.hgetall(bytes(VERSION + number)));
    Objects.requireNonNull(found).forEach((name, value) -> fields.put(text(name), text(value)));
    return fields.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new PolicyVersion(
                number,
                fields.getOrDefault("author", ""),
                fields.getOrDefault("note", ""),
                Long.parseLong(fields.getOrDefault("at", "0")),
                fields.getOrDefault("policies", "[]")));
  }

  @Override
  public List<PolicyVersion> versions() {
    List<PolicyVersion> versions = new ArrayList<>();
    long newest = newest();
    for (long number = newest; number > Math.max(0, newest - MOST_VERSIONS); number--) {
      version(number).ifPresent(versions::add);
    }
    return versions;
  }

  @Override
  public boolean add(PolicyVersion next) {
    byte[][] keys = {
      bytes(NEWEST),
      bytes(VERSION + next.number()),
      bytes(VERSION + (next.number() - MOST_VERSIONS))
    };
    Long added =
        await(
            redis.<Long>eval(
                ADD,
                ScriptOutputType.INTEGER,
                keys,
                bytes(Long.toString(next.number() - 1)),
                bytes(next.author()),
                bytes(next.note()),
                bytes(Long.toString(next.atMillis())),
                bytes(next.policies())));
    return added != null && added == 1;
  }
}
