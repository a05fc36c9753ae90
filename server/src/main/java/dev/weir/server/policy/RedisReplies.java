package dev.weir.server.policy;

import dev.weir.RateLimiterException;
import io.lettuce.core.RedisFuture;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Waits for Redis in bounded time, and turns bytes into text and back. */
final class RedisReplies {

  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private RedisReplies() {}

  static <T extends @Nullable Object> T await(RedisFuture<T> answer) {
    try {
      return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new RateLimiterException("Redis refused: " + e.getMessage(), e);
    } catch (TimeoutException e) {
      throw new RateLimiterException(
          "Redis did not answer within " + PATIENCE.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RateLimiterException("interrupted while waiting for Redis", e);
    }
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
