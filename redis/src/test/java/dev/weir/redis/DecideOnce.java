package dev.weir.redis;

import dev.weir.RateLimitPolicy;
import dev.weir.testkit.Shape;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import redis.clients.jedis.JedisPool;

/**
 * A process of its own that decides once, for {@link OptionalClientsTest}: arguments are the client
 * and the port of Redis. Prints what is left of 9. Each client is known to a class of its own only.
 */
final class DecideOnce {

  private DecideOnce() {}

  public static void main(String[] arguments) {
    int port = Integer.parseInt(arguments[1]);
    long remaining =
        arguments[0].equals("lettuce") ? Lettuce.remaining(port) : Jedis.remaining(port);
    System.out.println("left " + remaining);
  }

  private static long remaining(RedisRateLimiter.Builder builder) {
    try (RedisRateLimiter limiter = builder.timeout(Duration.ofSeconds(10)).build()) {
      return limiter.tryAcquire("u").remaining();
    }
  }

  private static RateLimitPolicy policy() {
    return RateLimitPolicy.of("api", Shape.FIXED_WINDOW_FIRST_CHARGE.of(9, Duration.ofHours(1)));
  }

  private static final class Lettuce {
    static long remaining(int port) {
      RedisClient client = RedisClient.create("redis://127.0.0.1:" + port);
      try {
        return DecideOnce.remaining(LettuceRateLimiter.builder(client, policy()));
      } finally {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
      }
    }
  }

  private static final class Jedis {
    static long remaining(int port) {
      try (JedisPool pool = new JedisPool("127.0.0.1", port)) {
        return DecideOnce.remaining(JedisRateLimiter.builder(pool, policy()));
      }
    }
  }
}
