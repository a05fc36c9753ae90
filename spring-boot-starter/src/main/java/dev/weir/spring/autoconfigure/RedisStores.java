package dev.weir.spring.autoconfigure;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;

/** Chooses how to talk to Redis by the application's connection factory. */
final class RedisStores {

  private static final boolean HAS_LETTUCE = isPresent("io.lettuce.core.RedisClient");
  private static final boolean HAS_JEDIS = isPresent("redis.clients.jedis.UnifiedJedis");

  private RedisStores() {}

  private static boolean isPresent(String type) {
    return ClassUtils.isPresent(type, RedisStores.class.getClassLoader());
  }

  static LimiterStore of(RedisConnectionFactory factory, RedisSettings settings) {
    if (HAS_LETTUCE && factory instanceof LettuceConnectionFactory lettuce) {
      return new LettuceStore(lettuce, settings);
    }
    if (HAS_JEDIS && factory instanceof JedisConnectionFactory jedis) {
      return new JedisStore(jedis, settings);
    }
    throw new WeirPropertyException(
        "weir.store",
        "the connection factory is a "
            + factory.getClass().getName()
            + ", and must be a LettuceConnectionFactory or a JedisConnectionFactory; set"
            + " weir.store to memory to do without Redis");
  }

  static WeirPropertyException unreachable(RuntimeException cause) {
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    WeirPropertyException exception =
        new WeirPropertyException(
            "weir.store",
            "Redis cannot be reached when the application starts ("
                + root.getMessage()
                + "); start Redis, correct spring.data.redis.*, or set weir.store to memory");
    exception.initCause(cause);
    return exception;
  }
}
