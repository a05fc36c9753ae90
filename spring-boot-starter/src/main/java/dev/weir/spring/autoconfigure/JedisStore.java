package dev.weir.spring.autoconfigure;

import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.redis.JedisRateLimiter;
import dev.weir.redis.RedisRateLimiter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import redis.clients.jedis.CommandObject;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.executors.CommandExecutor;

/** Limits on Redis through the application's own Jedis pool, which also knows its Sentinels. */
final class JedisStore implements LimiterStore {

  private final UnifiedJedis jedis;
  private final RedisSettings settings;
  private final List<RedisRateLimiter> limiters = new CopyOnWriteArrayList<>();

  JedisStore(JedisConnectionFactory factory, RedisSettings settings) {
    this.settings = settings;
    factory.start();
    this.jedis = client(factory);
  }

  private static UnifiedJedis client(JedisConnectionFactory factory) {
    if (!factory.isRedisClusterAware()) {
      return new UnifiedJedis(new Borrowing(factory));
    }
    try (RedisConnection connection = factory.getConnection()) {
      return (UnifiedJedis) connection.getNativeConnection();
    }
  }

  @Override
  public RateLimiter limiter(RateLimitPolicy policy) {
    RedisRateLimiter limiter = settings.build(JedisRateLimiter.builder(jedis, policy));
    limiters.add(limiter);
    return limiter;
  }

  @Override
  public String describe() {
    return "Redis through Jedis";
  }

  /** Ends the threads of the limiters; the client stays the application's. */
  @Override
  public void close() {
    limiters.forEach(RedisRateLimiter::close);
  }

  /** Runs each command on a connection of the factory's pool. */
  private record Borrowing(JedisConnectionFactory factory) implements CommandExecutor {
    @Override
    public <T> T executeCommand(CommandObject<T> command) {
      try (RedisConnection connection = factory.getConnection()) {
        Jedis jedis = (Jedis) connection.getNativeConnection();
        return jedis.getConnection().executeCommand(command);
      }
    }

    @Override
    public void close() {}
  }
}
