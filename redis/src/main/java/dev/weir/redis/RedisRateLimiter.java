package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * A rate limiter whose state is in Redis, shared by all processes that use the same Redis, key
 * prefix and policy name. Made by {@link LettuceRateLimiter} and {@link JedisRateLimiter}.
 *
 * <p>A decision is one EVALSHA on one key, by Redis' clock; EVAL is sent once if a node does not
 * know the script, which proves that nothing was charged. Nothing else is ever sent twice. A call
 * that is not answered within the timeout fails; it may or may not have been charged.
 *
 * <p>A key's name is {@code prefix:{policy:key}}. It always expires, at the latest when its state
 * equals a fresh one. State that is damaged or not Weir's is taken as fresh, counted in {@link
 * #damagedStates()} and logged once.
 *
 * <p>The blocking calls must not be made on an event loop of the Redis client.
 */
public final class RedisRateLimiter implements RateLimiter, AutoCloseable {

  /** The prefix of keys unless told otherwise: {@code weir}. */
  public static final String DEFAULT_KEY_PREFIX = "weir";

  /** How long a decision may take unless told otherwise: 100 ms. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofMillis(100);

  private static final System.Logger LOG = System.getLogger(RedisRateLimiter.class.getName());

  private final RedisScripts redis;
  private final RedisKeys keys;
  private final Duration timeout;
  private final Function<RateLimitPolicy, Script> scripts;
  private final LongAdder damagedStates = new LongAdder();
  private final java.util.concurrent.atomic.AtomicBoolean damageLogged =
      new java.util.concurrent.atomic.AtomicBoolean();
  private volatile PolicyCall call;

  private RedisRateLimiter(Builder builder) {
    this.redis = builder.redis;
    this.timeout = builder.timeout;
    this.scripts = builder.scripts;
    this.keys = new RedisKeys(builder.keyPrefix, builder.policy.name(), builder.hashKeys);
    this.call = new PolicyCall(builder.policy, scripts.apply(builder.policy));
  }

  @Override
  public RateLimitPolicy policy() {
    return call.policy();
  }

  @Override
  public void changePolicy(RateLimitPolicy policy) {
    if (!policy.name().equals(policy().name())) {
      throw new IllegalArgumentException(
          "this limiter applies policy '%s' and cannot change to '%s'; make a limiter for that one"
              .formatted(policy().name(), policy.name()));
    }
    call = new PolicyCall(policy, scripts.apply(policy));
  }

  @Override
  public Decision tryAcquire(String key, long permits) {
    return await(tryAcquireAsync(key, permits));
  }

  @Override
  public CompletableFuture<Decision> tryAcquireAsync(String key, long permits) {
    return decide(key, permits, true);
  }

  @Override
  public Decision peek(String key, long permits) {
    return await(peekAsync(key, permits));
  }

  @Override
  public CompletableFuture<Decision> peekAsync(String key, long permits) {
    return decide(key, permits, false);
  }

  @Override
  public void reset(String key) {
    await(resetAsync(key));
  }

  @Override
  public CompletableFuture<Void> resetAsync(String key) {
    return bounded(redis.delete(keys.of(Objects.requireNonNull(key, "key"))));
  }

  /** How often a key's state was damaged or not Weir's and was taken as fresh. */
  public long damagedStates() {
    return damagedStates.sum();
  }

  /** Closes the connection if the limiter opened it; one that the application gave stays open. */
  @Override
  public void close() {
    redis.close();
  }

  private CompletableFuture<Decision> decide(String key, long permits, boolean charge) {
    Objects.requireNonNull(key, "key");
    if (permits < 0 || permits > Limit.MAX_PERMITS) {
      throw new IllegalArgumentException(
          "permits must be from 0 to " + Limit.MAX_PERMITS + ", and were " + permits);
    }
    PolicyCall current = call;
    byte[] redisKey = keys.of(key);
    return bounded(
        run(current.script(), List.of(redisKey), current.arguments(permits, charge))
            .thenApply(reply -> decision(current.read(reply, permits), redisKey)));
  }

  private CompletableFuture<List<Long>> run(
      Script script, List<byte[]> redisKeys, List<byte[]> arguments) {
    return redis
        .evalSha(script.sha1(), redisKeys, arguments)
        .exceptionallyCompose(
            failure ->
                RedisFailure.isUnknownScript(Failures.root(failure))
                    ? redis.eval(script.text(), redisKeys, arguments)
                    : CompletableFuture.failedFuture(failure));
  }

  private Decision decision(PolicyCall.Answer answer, byte[] redisKey) {
    if (answer.damaged()) {
      damagedStates.increment();
      if (damageLogged.compareAndSet(false, true)) {
        LOG.log(
            System.Logger.Level.WARNING,
            "the Redis key {0} holds no state of Weir''s or a damaged one; it was taken as fresh."
                + " Look for another program that writes keys with this prefix. Further ones are"
                + " counted, not logged.",
            new String(redisKey, java.nio.charset.StandardCharsets.US_ASCII));
      }
    }
    return answer.decision();
  }

  private <T> CompletableFuture<T> bounded(CompletableFuture<T> answer) {
    return answer
        .orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
        .exceptionallyCompose(
            failure -> {
              Throwable root = Failures.root(failure);
              return CompletableFuture.failedFuture(
                  root instanceof TimeoutException ? late(root) : RedisFailure.of(root));
            });
  }

  private <T> T await(CompletableFuture<T> answer) {
    try {
      return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw late(e);
    } catch (ExecutionException e) {
      Throwable cause = Failures.root(e);
      throw cause instanceof RateLimiterException known ? known : RedisFailure.of(cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RateLimiterException(
          "interrupted while waiting for Redis; the call may have been charged", e);
    }
  }

  private RateLimiterException late(Throwable cause) {
    return new RateLimiterException(
        "Redis did not answer within "
            + timeout.toMillis()
            + " ms; the call may have been charged. Look at Redis and the network, or raise the"
            + " limiter's timeout.",
        cause);
  }

  /** The settings of a limiter. Not safe for use by several threads. */
  public static final class Builder {

    private final RedisScripts redis;
    private final RateLimitPolicy policy;
    private String keyPrefix = DEFAULT_KEY_PREFIX;
    private Duration timeout = DEFAULT_TIMEOUT;
    private boolean hashKeys;
    private Function<RateLimitPolicy, Script> scripts = Script::of;

    Builder(RedisScripts redis, RateLimitPolicy policy) {
      this.redis = redis;
      this.policy = Objects.requireNonNull(policy, "policy");
    }

    /**
     * What the names of keys start with; {@link #DEFAULT_KEY_PREFIX} by default. Applications that
     * share a Redis and must not share limits need different ones.
     *
     * @throws IllegalArgumentException if not 1 to 64 letters, digits or any of {@code . _ : / -}
     */
    public Builder keyPrefix(String keyPrefix) {
      RedisKeys.checkPrefix(keyPrefix);
      this.keyPrefix = keyPrefix;
      return this;
    }

    /**
     * How long a call waits for Redis; {@link #DEFAULT_TIMEOUT} by default.
     *
     * @throws IllegalArgumentException if not more than zero and at most an hour
     */
    public Builder timeout(Duration timeout) {
      if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(Duration.ofHours(1)) > 0) {
        throw new IllegalArgumentException(
            "timeout must be more than zero and at most an hour, and was " + timeout);
      }
      this.timeout = timeout;
      return this;
    }

    /**
     * Whether to put a SHA-256 of each key into Redis instead of the key itself, for keys that are
     * secrets such as API keys; long keys are hashed in any case. Off by default.
     */
    public Builder hashKeys(boolean hashKeys) {
      this.hashKeys = hashKeys;
      return this;
    }

    /** The scripts to send: for tests, which bring their own clock. */
    Builder scripts(Function<RateLimitPolicy, Script> scripts) {
      this.scripts = scripts;
      return this;
    }

    /** Makes the limiter. Nothing is sent to Redis before the first call. */
    public RedisRateLimiter build() {
      return new RedisRateLimiter(this);
    }
  }
}
