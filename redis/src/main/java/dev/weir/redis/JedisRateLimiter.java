package dev.weir.redis;

import dev.weir.FailureCause;
import dev.weir.RateLimitPolicy;
import dev.weir.redis.JedisScripts.JedisCalls;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisCluster;
import redis.clients.jedis.JedisPool;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * Makes limiters on Redis through Jedis, 5.2 to 8: a {@link UnifiedJedis} or any of its subclasses
 * (pooled, Sentinel, Cluster), or a {@link JedisPool}. The application keeps the client.
 *
 * <p>Jedis blocks. Its calls run on threads of the limiter's own, at most {@value #MOST_THREADS},
 * or on an executor that the application gives, so that a decision is bounded by the limiter's
 * timeout whatever the client's is.
 */
public final class JedisRateLimiter {

  /** The most threads that a limiter starts for its Jedis calls. */
  public static final int MOST_THREADS = 64;

  private static final int SLOTS_PER_RANGE = 256;

  private static final ProtocolCommand QUIT = () -> "QUIT".getBytes(StandardCharsets.US_ASCII);

  private static final AtomicInteger THREADS = new AtomicInteger();

  private JedisRateLimiter() {}

  /** A limiter with the default settings. */
  public static RedisRateLimiter create(UnifiedJedis jedis, RateLimitPolicy policy) {
    return builder(jedis, policy).build();
  }

  /** A limiter with the default settings. */
  public static RedisRateLimiter create(JedisPool pool, RateLimitPolicy policy) {
    return builder(pool, policy).build();
  }

  /** Starts a limiter with settings of its own. */
  public static RedisRateLimiter.Builder builder(UnifiedJedis jedis, RateLimitPolicy policy) {
    return onOwnThreads(new UnifiedCalls(jedis), policy);
  }

  /** Starts a limiter with settings of its own. */
  public static RedisRateLimiter.Builder builder(JedisPool pool, RateLimitPolicy policy) {
    return onOwnThreads(new PooledCalls(pool), policy);
  }

  /** Starts a limiter whose Jedis calls run on an executor that the application keeps. */
  public static RedisRateLimiter.Builder builder(
      UnifiedJedis jedis, Executor executor, RateLimitPolicy policy) {
    return new RedisRateLimiter.Builder(
        new JedisScripts(new UnifiedCalls(jedis), executor, () -> {}), policy);
  }

  /** Starts a limiter whose Jedis calls run on an executor that the application keeps. */
  public static RedisRateLimiter.Builder builder(
      JedisPool pool, Executor executor, RateLimitPolicy policy) {
    return new RedisRateLimiter.Builder(
        new JedisScripts(new PooledCalls(pool), executor, () -> {}), policy);
  }

  private static RedisRateLimiter.Builder onOwnThreads(JedisCalls calls, RateLimitPolicy policy) {
    ExecutorService executor = threads();
    return new RedisRateLimiter.Builder(
        new JedisScripts(calls, executor, executor::shutdown), policy);
  }

  private static ExecutorService threads() {
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            MOST_THREADS,
            MOST_THREADS,
            30,
            TimeUnit.SECONDS,
            new java.util.concurrent.LinkedBlockingQueue<>(10_000),
            JedisRateLimiter::thread);
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "weir-jedis-" + THREADS.incrementAndGet());
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Whether a connection is of no more use though it is well, so that a pool would keep it: it
   * leads to a node that is a replica now, where a new one leads to the master if the address has
   * moved on; or Redis has ended it, as it does when a stranger sends much.
   */
  private static boolean isUseless(JedisDataException failure) {
    FailureCause cause = FailureCauses.of(failure);
    return cause == FailureCause.READONLY || cause == FailureCause.NO_AUTHENTICATION;
  }

  private record UnifiedCalls(UnifiedJedis jedis) implements JedisCalls {
    @Override
    public Object evalSha(byte[] sha1, List<byte[]> keys, List<byte[]> arguments) {
      return leaving(() -> jedis.evalsha(sha1, keys, arguments));
    }

    @Override
    public Object eval(byte[] script, List<byte[]> keys, List<byte[]> arguments) {
      return leaving(() -> jedis.eval(script, keys, arguments));
    }

    private Object leaving(Supplier<Object> call) {
      try {
        return call.get();
      } catch (JedisDataException e) {
        if (isUseless(e) && !(jedis instanceof JedisCluster)) {
          leave();
        }
        throw e;
      }
    }

    /** Has Redis end a connection, the one used last, and the client notice that it ended. */
    private void leave() {
      try {
        Object unused = jedis.sendCommand(QUIT);
        Object unusedToo = jedis.sendCommand(QUIT);
      } catch (JedisException ended) {
        // and will not be used again
      }
    }

    @Override
    public long delete(List<byte[]> keys) {
      return jedis.unlink(keys.toArray(byte[][]::new));
    }

    /** Jedis does not tell which node has a slot, so 64 ranges of slots stand for the nodes. */
    @Override
    public String shardOf(byte[] key) {
      return isCluster() ? "slots-" + JedisClusterCRC16.getSlot(key) / SLOTS_PER_RANGE : "redis";
    }

    /** Jedis 7 and later have a second class, which the Jedis that this compiles with has not. */
    @Override
    public boolean isCluster() {
      return jedis instanceof JedisCluster
          || jedis.getClass().getName().equals("redis.clients.jedis.RedisClusterClient");
    }

    @Override
    public Object client() {
      return jedis;
    }
  }

  private record PooledCalls(JedisPool pool) implements JedisCalls {
    @Override
    public Object evalSha(byte[] sha1, List<byte[]> keys, List<byte[]> arguments) {
      return leaving(jedis -> jedis.evalsha(sha1, keys, arguments));
    }

    @Override
    public Object eval(byte[] script, List<byte[]> keys, List<byte[]> arguments) {
      return leaving(jedis -> jedis.eval(script, keys, arguments));
    }

    private Object leaving(Function<Jedis, Object> call) {
      try (Jedis jedis = pool.getResource()) {
        try {
          return call.apply(jedis);
        } catch (JedisDataException e) {
          if (isUseless(e)) {
            jedis.getConnection().setBroken();
            pool.clear();
          }
          throw e;
        }
      }
    }

    @Override
    public long delete(List<byte[]> keys) {
      try (Jedis jedis = pool.getResource()) {
        return jedis.unlink(keys.toArray(byte[][]::new));
      }
    }

    @Override
    public String shardOf(byte[] key) {
      return "redis";
    }

    @Override
    public boolean isCluster() {
      return false;
    }

    @Override
    public Object client() {
      return pool;
    }
  }
}
