package dev.weir.spring.autoconfigure;

import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.redis.LettuceRateLimiter;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Limits on Redis through the application's own Lettuce client: one connection more of that client,
 * for all limiters together, so that a decision does not queue behind what the application sends.
 */
final class LettuceStore implements LimiterStore {

  private final StatefulConnection<byte[], byte[]> connection;
  private final RedisSettings settings;

  LettuceStore(LettuceConnectionFactory factory, RedisSettings settings) {
    this.settings = settings;
    this.connection = connect(factory);
  }

  private static StatefulConnection<byte[], byte[]> connect(LettuceConnectionFactory factory) {
    // The context starts factories late, and starting one that has started does nothing.
    factory.start();
    AbstractRedisClient client = factory.getRequiredNativeClient();
    try {
      if (client instanceof RedisClusterClient cluster) {
        return cluster.connect(ByteArrayCodec.INSTANCE);
      }
      return ((RedisClient) client).connect(ByteArrayCodec.INSTANCE);
    } catch (RedisException | IllegalStateException e) {
      throw RedisStores.unreachable(e);
    }
  }

  @Override
  public RateLimiter limiter(RateLimitPolicy policy) {
    return settings.build(LettuceRateLimiter.builder(connection, policy));
  }

  @Override
  public String describe() {
    return "Redis through Lettuce";
  }

  @Override
  public void close() {
    connection.close();
  }
}
