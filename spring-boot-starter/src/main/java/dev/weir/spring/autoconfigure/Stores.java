package dev.weir.spring.autoconfigure;

import dev.weir.RateLimiterListener;
import dev.weir.TimeSource;
import dev.weir.spring.autoconfigure.WeirProperties.Store;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.ClassUtils;

/** Chooses where limits are: see {@link WeirProperties.Store}. */
final class Stores {

  private static final boolean HAS_SPRING_DATA_REDIS =
      ClassUtils.isPresent(
          "org.springframework.data.redis.connection.RedisConnectionFactory",
          Stores.class.getClassLoader());

  private static final int LONGEST_PREFIX = 64;

  private Stores() {}

  static LimiterStore choose(
      WeirProperties properties,
      @Nullable TimeSource time,
      RateLimiterListener listener,
      BeanFactory beans,
      Environment environment) {
    if (properties.maxKeys() < 1) {
      throw new WeirPropertyException(
          "weir.max-keys", "must be 1 or more, and was " + properties.maxKeys());
    }
    // Redis keeps its own time, so who brings a clock wants memory.
    if (properties.store() != Store.MEMORY && time == null) {
      LimiterStore redis =
          HAS_SPRING_DATA_REDIS
              ? OnRedis.find(beans, settings(properties.redis(), listener, environment))
              : null;
      if (redis != null) {
        return redis;
      }
      if (properties.store() == Store.REDIS) {
        throw new WeirPropertyException(
            "weir.store",
            "is redis, and the application has no RedisConnectionFactory; add"
                + " spring-boot-starter-data-redis, or set it to memory");
      }
    }
    return new MemoryStore(
        time == null ? TimeSource.monotonic() : time, properties.maxKeys(), listener);
  }

  private static RedisSettings settings(
      WeirProperties.Redis redis, RateLimiterListener listener, Environment environment) {
    Duration timeout = redis.timeout();
    if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(Duration.ofHours(1)) > 0) {
      throw new WeirPropertyException(
          "weir.redis.timeout",
          "must be more than zero and at most an hour, such as 100ms, and was " + timeout);
    }
    return new RedisSettings(
        prefix(redis.keyPrefix(), environment), timeout, redis.hashKeys(), listener);
  }

  private static String prefix(@Nullable String given, Environment environment) {
    if (given == null) {
      String application = environment.getProperty("spring.application.name", "");
      String usable = application.replaceAll("[^A-Za-z0-9._:/-]", "-");
      String prefix = usable.isEmpty() ? "weir" : "weir:" + usable;
      return prefix.substring(0, Math.min(prefix.length(), LONGEST_PREFIX));
    }
    if (!given.matches("[A-Za-z0-9._:/-]{1,64}")) {
      throw new WeirPropertyException(
          "weir.redis.key-prefix",
          "must be 1 to 64 letters, digits or any of . _ : / -, and was '" + given + "'");
    }
    return given;
  }

  /** What needs the classes of Spring Data Redis. */
  private static final class OnRedis {

    static @Nullable LimiterStore find(BeanFactory beans, RedisSettings settings) {
      RedisConnectionFactory factory =
          beans.getBeanProvider(RedisConnectionFactory.class).getIfUnique();
      return factory == null ? null : RedisStores.of(factory, settings);
    }
  }
}
