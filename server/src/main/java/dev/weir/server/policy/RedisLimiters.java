package dev.weir.server.policy;

import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.adaptive.AdaptivePolicy;
import dev.weir.adaptive.AdaptiveRateLimiter;
import dev.weir.adaptive.OverrideStore;
import dev.weir.redis.LettuceRateLimiter;
import dev.weir.redis.RedisAdaptiveRateLimiter;
import dev.weir.redis.RedisOverrideStore;
import dev.weir.redis.RedisRateLimiter;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Limiters that keep their state in Redis, over one connection. */
public final class RedisLimiters implements LimiterFactory {

  private static final Logger LOG = LoggerFactory.getLogger(RedisLimiters.class);

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(2);

  private final RedisClient client;
  private final StatefulRedisConnection<byte[], byte[]> connection;
  private final PolicyStore policies;
  private final OverrideStore overrides;
  private final String address;

  /**
   * Connects, and logs what about this Redis should be known.
   *
   * @throws dev.weir.RateLimiterException if this user cannot run scripts there
   * @throws io.lettuce.core.RedisException if Redis cannot be reached or refuses the connection
   */
  public RedisLimiters(RedisURI uri) {
    this.address = uri.getHost() + ":" + uri.getPort();
    this.client = RedisClient.create(uri);
    client.setOptions(
        ClientOptions.builder()
            .socketOptions(SocketOptions.builder().connectTimeout(CONNECT_TIMEOUT).build())
            .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
            // True drops a command instead of sending it again after a lost connection.
            .replayFilter(command -> true)
            .build());
    try {
      this.connection = client.connect(ByteArrayCodec.INSTANCE);
      this.policies = new RedisPolicyStore(connection);
      RedisRateLimiter limiter = LettuceRateLimiter.create(connection, PolicyRegistry.DEMO);
      limiter.check().forEach(LOG::warn);
      this.overrides = RedisOverrideStore.of(limiter);
    } catch (RuntimeException e) {
      shutDown();
      throw e;
    }
  }

  @Override
  public RateLimiter limiter(RateLimitPolicy policy) {
    return LettuceRateLimiter.create(connection, policy);
  }

  @Override
  public AdaptiveRateLimiter adaptive(
      RateLimiter limiter, AdaptivePolicy policy, @Nullable AdaptiveRateLimiter before) {
    if (!(limiter instanceof RedisRateLimiter onRedis)) {
      throw new IllegalArgumentException("the limiter must be one of this factory");
    }
    // What is known is in Redis, under the names of the limits.
    return RedisAdaptiveRateLimiter.of(onRedis, policy);
  }

  @Override
  public PolicyStore policies() {
    return policies;
  }

  @Override
  public OverrideStore overrides() {
    return overrides;
  }

  @Override
  public CompletableFuture<Long> pingMicros() {
    long start = System.nanoTime();
    return connection
        .async()
        .ping()
        .toCompletableFuture()
        .orTimeout(1, TimeUnit.SECONDS)
        .thenApply(pong -> (System.nanoTime() - start) / 1_000);
  }

  @Override
  public boolean isLocal() {
    return false;
  }

  @Override
  public String describe() {
    return "Redis at " + address;
  }

  @Override
  public void close() {
    overrides.close();
    connection.close();
    shutDown();
  }

  private void shutDown() {
    client.shutdown(Duration.ZERO, SHUTDOWN_TIMEOUT);
  }
}
