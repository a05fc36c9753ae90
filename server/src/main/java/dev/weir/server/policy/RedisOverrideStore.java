package dev.weir.server.policy;

import static dev.weir.server.policy.RedisReplies.await;
import static dev.weir.server.policy.RedisReplies.bytes;
import static dev.weir.server.policy.RedisReplies.text;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.List;
import java.util.Objects;

/** Decisions in Redis, where all services on it find them. No limiter's key has such a name. */
final class RedisOverrideStore implements OverrideStore {

  private static final byte[] ENTRIES = bytes("weir:{@overrides}:entries");
  private static final byte[] CHANGES = bytes("weir:{@overrides}:changes");
  private static final byte[] TRAIL = bytes("weir:{@overrides}:trail");

  // KEYS: entries, changes, trail. ARGV: target, entry or nothing to remove it, line, most of both.
  private static final String CHANGE =
      """
      if ARGV[2] == '' then
        if redis.call('HDEL', KEYS[1], ARGV[1]) == 0 then return 0 end
      else
        if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0
            and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[4]) then
          return 0
        end
        redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
      end
      redis.call('INCR', KEYS[2])
      redis.call('LPUSH', KEYS[3], ARGV[3])
      redis.call('LTRIM', KEYS[3], 0, ARGV[5] - 1)
      return 1
      """;

  private final RedisAsyncCommands<byte[], byte[]> redis;

  RedisOverrideStore(StatefulRedisConnection<byte[], byte[]> connection) {
    this.redis = connection.async();
  }

  @Override
  public long changes() {
    byte[] number = await(redis.get(CHANGES));
    return number == null ? 0 : Long.parseLong(text(number));
  }

  @Override
  public List<String> entries() {
    return Objects.requireNonNull(await(redis.hvals(ENTRIES))).stream()
        .map(RedisReplies::text)
        .toList();
  }

  @Override
  public boolean put(String target, String entry, String line) {
    return change(target, entry, line);
  }

  @Override
  public boolean remove(String target, String line) {
    return change(target, "", line);
  }

  private boolean change(String target, String entry, String line) {
    byte[][] keys = {ENTRIES, CHANGES, TRAIL};
    Long done =
        await(
            redis.<Long>eval(
                CHANGE,
                ScriptOutputType.INTEGER,
                keys,
                bytes(target),
                bytes(entry),
                bytes(line),
                bytes(Integer.toString(MOST_TARGETS)),
                bytes(Integer.toString(MOST_LINES))));
    return done != null && done == 1;
  }

  @Override
  public void note(String line) {
    await(redis.lpush(TRAIL, bytes(line)));
    await(redis.ltrim(TRAIL, 0, MOST_LINES - 1));
  }

  @Override
  public List<String> trail(int most) {
    return Objects.requireNonNull(await(redis.lrange(TRAIL, 0, most - 1))).stream()
        .map(RedisReplies::text)
        .toList();
  }
}
