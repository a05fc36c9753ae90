package dev.weir.redis;

import dev.weir.FailureCause;
import dev.weir.RateLimiterListener;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A limiter's part in the breakers of its connection. A probe does on the failed key's own shard
 * what a decision does: it runs a script that reads the time and writes a key that expires at once.
 */
final class Breakers {

  private static final String PROBE =
      "redis.call('TIME') redis.call('SET', KEYS[1], '', 'PX', 1) return {1}";

  private final RedisScripts redis;
  private final Duration timeout;
  private final Duration interval;
  private final RateLimiterListener listener;
  private final SharedBreakers shared;
  private volatile boolean closed;

  Breakers(RedisScripts redis, Duration timeout, Duration interval, RateLimiterListener listener) {
    this.redis = redis;
    this.timeout = timeout;
    this.interval = interval;
    this.listener = listener;
    this.shared = SharedBreakers.join(redis.connection(), timeout, this);
  }

  Duration interval() {
    return interval;
  }

  RateLimiterListener listener() {
    return listener;
  }

  /** Leaves the breakers to the other limiters of the connection; the last one ends the probes. */
  void close() {
    closed = true;
    shared.leave(this);
  }

  /** The breaker of the shard that has this Redis key. */
  Breaker of(byte[] redisKey) {
    return shared.of(redis.shardOf(redisKey));
  }

  /**
   * What to send to find out whether the shard of this key decides again: through this limiter's
   * client, or through another's once this one is closed.
   */
  Breaker.Probe probe(byte[] redisKey) {
    byte[] key =
        (new String(redisKey, StandardCharsets.US_ASCII) + ":probe")
            .getBytes(StandardCharsets.US_ASCII);
    return () -> {
      Breakers other = closed ? shared.anyMember() : null;
      return (other == null ? this : other).ask(key);
    };
  }

  private CompletableFuture<@Nullable FailureCause> ask(byte[] key) {
    return redis
        .eval(PROBE, List.of(key), List.of())
        .orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
        .handle((answer, failure) -> failure == null ? null : transientCause(failure));
  }

  /** A mistake is not an outage: the next call is to meet it and say so. */
  private static @Nullable FailureCause transientCause(Throwable failure) {
    FailureCause cause = FailureCauses.of(failure);
    return cause.isTransient() ? cause : null;
  }
}
