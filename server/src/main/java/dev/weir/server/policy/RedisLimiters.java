package dev.weir.server.policy;

import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.redis.LettuceRateLimiter;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Limiters that keep their state in Redis, over one connection. */
public final class RedisLimiters implements LimiterFactory {

  private static final Logger LOG = LoggerFactory.getLogger(RedisLimiters.class);

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(2);

  private final RedisClient client;
  private final StatefulRedisConnection<byte[], byte[]> connection;
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
      LettuceRateLimiter.create(connection, PolicyRegistry.DEMO).check().forEach(LOG::warn);
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
  public String describe() {
    return "Redis at " + address;
  }

  @Override
  public void close() {
    connection.close();
    shutDown();
  }

  private void shutDown() {
    client.shutdown(Duration.ZERO, SHUTDOWN_TIMEOUT);
  }
}
