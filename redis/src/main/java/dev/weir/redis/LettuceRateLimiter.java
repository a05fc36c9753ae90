package dev.weir.redis;

import dev.weir.RateLimitPolicy;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;

/**
 * Makes limiters on Redis through Lettuce.
 *
 * <pre>{@code
 * RateLimiter limiter = LettuceRateLimiter.create(redisClient, policy);
 * Decision decision = limiter.tryAcquire("user:123");
 * if (!decision.allowed()) { ... decision.retryAfter() ... }
 * }</pre>
 *
 * <p>A connection given by the application may have any codec and may be used by others at the same
 * time; it must not be in a transaction. One connection serves any number of threads and policies.
 */
public final class LettuceRateLimiter {

  private LettuceRateLimiter() {}

  /** A limiter with the default settings and a connection of its own, opened now. */
  public static RedisRateLimiter create(RedisClient client, RateLimitPolicy policy) {
    return builder(client, policy).build();
  }

  /** A limiter with the default settings and a Cluster connection of its own, opened now. */
  public static RedisRateLimiter create(RedisClusterClient client, RateLimitPolicy policy) {
    return builder(client, policy).build();
  }

  /** A limiter with the default settings on a connection that the application keeps. */
  public static RedisRateLimiter create(
      StatefulConnection<?, ?> connection, RateLimitPolicy policy) {
    return builder(connection, policy).build();
  }

  /** Starts a limiter with a connection of its own, opened now. */
  public static RedisRateLimiter.Builder builder(RedisClient client, RateLimitPolicy policy) {
    return new RedisRateLimiter.Builder(
        new LettuceScripts(client.connect(ByteArrayCodec.INSTANCE), client), policy);
  }

  /** Starts a limiter with a Cluster connection of its own, opened now. */
  public static RedisRateLimiter.Builder builder(
      RedisClusterClient client, RateLimitPolicy policy) {
    return new RedisRateLimiter.Builder(
        new LettuceScripts(client.connect(ByteArrayCodec.INSTANCE), client), policy);
  }

  /** Starts a limiter on a connection that the application keeps: standalone, Sentinel, Cluster. */
  public static RedisRateLimiter.Builder builder(
      StatefulConnection<?, ?> connection, RateLimitPolicy policy) {
    return new RedisRateLimiter.Builder(new LettuceScripts(connection), policy);
  }
}
