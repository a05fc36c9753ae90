package dev.weir.redis;

import dev.weir.adaptive.AdaptivePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The time at which a limiter judges calls when a recording is replayed: told by the replay, and
 * sent to Redis with each call. Its scripts differ from those of production by their clock alone,
 * and its keys are kept for a day whatever the recorded time says. Never give it the key prefix of
 * a limiter that is in use. Safe for use by several threads.
 */
public final class RecordedTime {

  private static final String CLOCK = "lua/replay-clock.lua";

  private final AtomicLong micros = new AtomicLong();

  /** The time zero: 1970-01-01T00:00:00Z. */
  public RecordedTime() {}

  /** Sets the time of the calls to come, in microseconds since the epoch. */
  public void set(long epochMicros) {
    micros.set(epochMicros);
  }

  /** A limiter of these settings at this time. */
  public RedisRateLimiter limiter(RedisRateLimiter.Builder builder) {
    String clock = Script.resource(CLOCK);
    return builder
        .through(Timed::new)
        .scripts((policy, operation) -> Script.of(policy, operation, clock))
        .serverClock(new ServerClock(micros::get))
        .build();
  }

  /** An adaptive limiter of these settings at this time. */
  public RedisAdaptiveRateLimiter limiter(RedisRateLimiter.Builder builder, AdaptivePolicy policy) {
    return RedisAdaptiveRateLimiter.of(limiter(builder), policy);
  }

  /** Adds the time to the arguments of every script. */
  private final class Timed implements RedisScripts {
    private final RedisScripts scripts;

    Timed(RedisScripts scripts) {
      this.scripts = scripts;
    }

    private List<byte[]> withTime(List<byte[]> arguments) {
      List<byte[]> timed = new ArrayList<>(arguments);
      timed.add(LimitArguments.bytes(micros.get()));
      return timed;
    }

    @Override
    public CompletableFuture<List<Long>> evalSha(
        String sha1, List<byte[]> keys, List<byte[]> arguments) {
      return scripts.evalSha(sha1, keys, withTime(arguments));
    }

    @Override
    public CompletableFuture<List<Long>> eval(
        String script, List<byte[]> keys, List<byte[]> arguments) {
      return scripts.eval(script, keys, withTime(arguments));
    }

    @Override
    public CompletableFuture<byte[]> text(
        String script, List<byte[]> keys, List<byte[]> arguments) {
      return scripts.text(script, keys, arguments);
    }

    @Override
    public CompletableFuture<Void> delete(List<byte[]> keys) {
      return scripts.delete(keys);
    }

    @Override
    public String shardOf(byte[] key) {
      return scripts.shardOf(key);
    }

    @Override
    public boolean isCluster() {
      return scripts.isCluster();
    }

    @Override
    public Object connection() {
      return scripts.connection();
    }

    @Override
    public void close() {
      scripts.close();
    }
  }
}
