package dev.weir.redis;

import dev.weir.FailureCause;
import dev.weir.RateLimiterListener;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A breaker for each shard. A probe does on the failed key's own shard what a decision does: it
 * runs a script that reads the time and writes a key that expires at once.
 */
final class Breakers {

  /** Few tasks, and only while something is down: one thread for all limiters of the process. */
  private static final ScheduledThreadPoolExecutor SCHEDULER = scheduler();

  private static final String PROBE =
      "redis.call('TIME') redis.call('SET', KEYS[1], '', 'PX', 1) return {1}";

  private final Map<String, Breaker> breakers = new ConcurrentHashMap<>();
  private final RedisScripts redis;
  private final Duration timeout;
  private final Duration interval;
  private final RateLimiterListener listener;

  Breakers(RedisScripts redis, Duration timeout, Duration interval, RateLimiterListener listener) {
    this.redis = redis;
    this.timeout = timeout;
    this.interval = interval;
    this.listener = listener;
  }

  private static ScheduledThreadPoolExecutor scheduler() {
    ScheduledThreadPoolExecutor scheduler =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              Thread thread = new Thread(work, "weir-breaker");
              thread.setDaemon(true);
              return thread;
            });
    scheduler.setRemoveOnCancelPolicy(true);
    scheduler.setKeepAliveTime(10, TimeUnit.SECONDS);
    scheduler.allowCoreThreadTimeOut(true);
    return scheduler;
  }

  /** Stops asking shards that do not answer. */
  void close() {
    breakers.values().forEach(Breaker::close);
  }

  /** The breaker of the shard that has this Redis key. */
  Breaker of(byte[] redisKey) {
    return breakers.computeIfAbsent(
        redis.shardOf(redisKey), shard -> new Breaker(shard, interval, SCHEDULER, listener));
  }

  /** What to send to find out whether the shard of this key decides again. */
  Breaker.Probe probe(byte[] redisKey) {
    byte[] key =
        (new String(redisKey, StandardCharsets.US_ASCII) + ":probe")
            .getBytes(StandardCharsets.US_ASCII);
    return () ->
        redis
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
