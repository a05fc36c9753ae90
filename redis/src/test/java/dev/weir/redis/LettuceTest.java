package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.FailureCause;
import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.CompressionCodec;
import io.lettuce.core.codec.StringCodec;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Every Lettuce connection that an application may already have. */
class LettuceTest extends LiveRedis {

  private static final RateLimitPolicy POLICY =
      RateLimitPolicy.of("api", FixedWindow.of(3, Duration.ofHours(1)));

  @Test
  void aLettuceClient() {
    works(LettuceRateLimiter.builder(client, POLICY));
  }

  @Test
  void aLettuceConnectionOfAnyCodec() {
    works(LettuceRateLimiter.builder(connection, POLICY));
    try (StatefulRedisConnection<byte[], byte[]> bytes = client.connect(ByteArrayCodec.INSTANCE)) {
      works(LettuceRateLimiter.builder(bytes, POLICY));
    }
    try (StatefulRedisConnection<String, String> packed =
        client.connect(
            CompressionCodec.valueCompressor(
                StringCodec.UTF8, CompressionCodec.CompressionType.GZIP))) {
      works(LettuceRateLimiter.builder(packed, POLICY));
    }
  }

  private static void works(RedisRateLimiter.Builder builder) {
    server.command("FLUSHALL");
    server.command("SCRIPT", "FLUSH");
    try (RedisRateLimiter limiter = builder.timeout(Duration.ofSeconds(10)).build()) {
      Decision first = limiter.tryAcquire("u", 2);
      assertThat(first.allowed()).isTrue();
      assertThat(first.remaining()).isEqualTo(1);
      assertThat(limiter.peek("u", 2).allowed()).isFalse();
      assertThat(limiter.tryAcquireAsync("u").join().remaining()).isZero();
      assertThat(limiter.tryAcquire("u").limitedBy()).contains("fixed-window");
      limiter.reset("u");
      assertThat(limiter.tryAcquire("u").remaining()).isEqualTo(2);
    }
    assertThat(keys()).containsExactly("weir:{api:u}");
  }

  @Test
  void b03ASilentRedisIsBoundedByTheLimitersTimeout() {
    RateLimiter limiter = LettuceRateLimiter.create(connection, POLICY);
    limiter.peek("u");
    server.pause();
    long start = System.nanoTime();
    try {
      assertThat(limiter.tryAcquire("u").failure()).contains(FailureCause.TIMEOUT);
      assertThat(limiter.tryAcquireAsync("u").join().source().isDegraded()).isTrue();
    } finally {
      server.resume();
    }
    assertThat(System.nanoTime() - start).isLessThan(1_000_000_000L);
  }
}
