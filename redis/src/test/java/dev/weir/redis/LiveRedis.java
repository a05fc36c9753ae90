package dev.weir.redis;

import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.testkit.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** Tests on a real Redis and its own clock: one server for the class, emptied for each test. */
@SuppressWarnings("NullAway.Init")
abstract class LiveRedis {

  static RedisServer server;
  static RedisClient client;
  static StatefulRedisConnection<String, String> connection;

  @BeforeAll
  static void start() {
    server = RedisServer.start();
    client = RedisClient.create(server.uri());
    connection = client.connect();
  }

  @AfterAll
  static void stop() {
    connection.close();
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    server.close();
  }

  @BeforeEach
  @AfterEach
  final void empty() {
    server.command("FLUSHALL");
  }

  static RedisRateLimiter limiter(Limit... limits) {
    return limiter(RateLimitPolicy.of("api", limits));
  }

  static RedisRateLimiter limiter(RateLimitPolicy policy) {
    return LettuceRateLimiter.builder(connection, policy).timeout(Duration.ofSeconds(10)).build();
  }

  static long expiryMillis(String redisKey) {
    return (Long) java.util.Objects.requireNonNull(server.command("PTTL", redisKey));
  }

  @SuppressWarnings("unchecked")
  static List<String> keys() {
    return (List<String>) java.util.Objects.requireNonNull(server.command("KEYS", "*"));
  }

  /** How often Redis has carried out a command since the last CONFIG RESETSTAT. */
  static long calls(String command) {
    String stats = String.valueOf(server.command("INFO", "commandstats"));
    int at = stats.indexOf("cmdstat_" + command + ":calls=");
    return at < 0
        ? 0
        : Long.parseLong(stats.substring(stats.indexOf('=', at) + 1, stats.indexOf(',', at)));
  }
}
