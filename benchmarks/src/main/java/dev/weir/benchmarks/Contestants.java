package dev.weir.benchmarks;

import dev.weir.RateLimitPolicy;
import dev.weir.TokenBucket;
import dev.weir.redis.LettuceRateLimiter;
import dev.weir.redis.RedisRateLimiter;
import dev.weir.testkit.RedisServer;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import redis.clients.jedis.JedisPool;
import redis.clients.jedis.JedisPoolConfig;

/** The limiters on Redis: a token bucket of a million a minute each, asked by blocking calls. */
final class Contestants {

  static final long CAPACITY = 1_000_000;
  private static final Duration PERIOD = Duration.ofMinutes(1);

  private Contestants() {}

  static RateLimitPolicy policy(String name) {
    return RateLimitPolicy.of(name, TokenBucket.smooth(CAPACITY, CAPACITY, PERIOD));
  }

  private static String script(String name) {
    try (InputStream in = Contestants.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Weir through one Lettuce connection. */
  static Contestant weir(RedisServer server) {
    RedisClient client = RedisClient.create(server.uri());
    RedisRateLimiter limiter =
        LettuceRateLimiter.builder(client, policy("bench"))
            .coalescing(true)
            .timeout(Duration.ofSeconds(10))
            .build();
    limiter.check();
    return new Contestant() {
      @Override
      public String name() {
        return "weir";
      }

      @Override
      public void decide(int key) {
        if (!limiter.tryAcquire(Keys.of(key)).allowed()) {
          throw new IllegalStateException("the limit is meant never to be reached");
        }
      }

      @Override
      public void close() {
        limiter.close();
        client.shutdown();
      }
    };
  }

  /** What one round trip through Lettuce costs. */
  static Contestant ping(RedisServer server) {
    RedisClient client = RedisClient.create(server.uri());
    RedisCommands<String, String> commands = client.connect().sync();
    return new Contestant() {
      @Override
      public String name() {
        return "PING";
      }

      @Override
      public void decide(int key) {
        commands.ping();
      }

      @Override
      public void close() {
        client.shutdown();
      }
    };
  }

  /** The token bucket of the Redis guides: a hash of tokens and time, a pool of connections. */
  static Contestant guide(RedisServer server) {
    JedisPoolConfig config = new JedisPoolConfig();
    config.setMaxTotal(64);
    config.setMaxIdle(64);
    JedisPool pool = new JedisPool(config, "127.0.0.1", server.port());
    String sha;
    try (var jedis = pool.getResource()) {
      sha = jedis.scriptLoad(script("guide.lua"));
    }
    List<String> arguments =
        List.of(Long.toString(CAPACITY), Double.toString(CAPACITY / 60.0), "1");
    return new Contestant() {
      @Override
      public String name() {
        return "guide";
      }

      @Override
      public void decide(int key) {
        try (var jedis = pool.getResource()) {
          List<?> reply = (List<?>) jedis.evalsha(sha, List.of("guide:" + Keys.of(key)), arguments);
          if (!reply.get(0).equals(1L)) {
            throw new IllegalStateException("the limit is meant never to be reached");
          }
        }
      }

      @Override
      public void close() {
        pool.close();
      }
    };
  }

  /** The script of a gateway's limiter: two keys for each bucket, whole seconds. */
  static Contestant gateway(RedisServer server) {
    RedisClient client = RedisClient.create(server.uri());
    RedisCommands<String, String> commands = client.connect().sync();
    String sha = commands.scriptLoad(script("gateway.lua"));
    String[] arguments = {Long.toString(CAPACITY / 60), Long.toString(CAPACITY), "1"};
    return new Contestant() {
      @Override
      public String name() {
        return "gateway";
      }

      @Override
      public void decide(int key) {
        String tag = "gateway:{" + Keys.of(key) + "}";
        String[] keys = {tag + ".tokens", tag + ".timestamp"};
        List<Object> reply = commands.evalsha(sha, ScriptOutputType.MULTI, keys, arguments);
        if (!reply.get(0).equals(1L)) {
          throw new IllegalStateException("the limit is meant never to be reached");
        }
      }

      @Override
      public void close() {
        client.shutdown();
      }
    };
  }

  /** Bucket4j, which compares and swaps. */
  static Contestant bucket4j(RedisServer server) {
    RedisClient client = RedisClient.create(server.uri());
    StatefulRedisConnection<String, byte[]> connection =
        client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
    ProxyManager<String> manager =
        Bucket4jLettuce.casBasedBuilder(connection)
            .expirationAfterWrite(
                ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(
                    Duration.ofSeconds(10)))
            .build();
    BucketConfiguration configuration =
        BucketConfiguration.builder()
            .addLimit(Bandwidth.builder().capacity(CAPACITY).refillGreedy(CAPACITY, PERIOD).build())
            .build();
    return new Contestant() {
      @Override
      public String name() {
        return "bucket4j";
      }

      @Override
      public void decide(int key) {
        String name = "bucket4j:" + Keys.of(key);
        if (!manager.builder().build(name, () -> configuration).tryConsume(1)) {
          throw new IllegalStateException("the limit is meant never to be reached");
        }
      }

      @Override
      public void close() {
        client.shutdown();
      }
    };
  }
}
