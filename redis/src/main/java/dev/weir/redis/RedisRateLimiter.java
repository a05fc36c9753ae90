package dev.weir.redis;

import dev.weir.Charge;
import dev.weir.Decision;
import dev.weir.FailureCause;
import dev.weir.JointStore;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterException;
import dev.weir.RateLimiterListener;
import dev.weir.Reservation;
import dev.weir.Settlement;
import dev.weir.algorithm.ReservationId;
import dev.weir.wait.WaitQueue;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A rate limiter whose state is in Redis, shared by all processes that use the same Redis, key
 * prefix and policy name. Made by {@link LettuceRateLimiter} and {@link JedisRateLimiter}.
 *
 * <p>A decision is one EVALSHA on one key, by Redis' clock; EVAL is sent once if a node does not
 * know the script, which proves that nothing was charged. Nothing else is ever sent twice. A {@link
 * dev.weir.CalendarWindow} whose windows here did not reach to Redis' time was not judged, and is
 * asked once more; so a clock that is wrong here costs a round trip, and its error is remembered.
 *
 * <p>Every decision is made within the time budget. If Redis does not make it, the policy's {@link
 * dev.weir.FailureMode} does, and {@link Decision#source()} and {@link Decision#failure()} say so;
 * a call that timed out or lost its connection may have been charged. A breaker for each shard
 * makes an outage cost the budget once; it asks again in the background. Mistakes, such as a
 * missing permission, are thrown as {@link RateLimiterException}, whatever the mode.
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

  /** How often Redis is asked whether it decides again, unless told otherwise: 250 ms. */
  public static final Duration DEFAULT_PROBE_INTERVAL = Duration.ofMillis(250);

  private static final int WARM_UP_CALLS = 50;
  private static final Duration CHECK_TIMEOUT = Duration.ofSeconds(5);

  private final RedisScripts redis;
  private final RedisKeys keys;
  private final Duration timeout;
  private final Script.Source scripts;
  private final Breakers breakers;
  private final Calls calls;
  private final Fallback fallback;
  private final Reports reports;
  private final WaitQueue waiters =
      new WaitQueue((k, n, charge) -> charge ? tryAcquireAsync(k, n) : peekAsync(k, n));
  private final ServerClock serverClock;
  private volatile PolicyCall call;

  private RedisRateLimiter(Builder builder) {
    this.redis = builder.coalescing ? new CoalescingScripts(builder.redis) : builder.redis;
    this.timeout = builder.timeout;
    this.scripts = builder.scripts;
    this.keys =
        new RedisKeys(builder.keyPrefix, builder.policy.name(), builder.hashKeys, builder.slotTag);
    this.serverClock = builder.serverClock;
    this.call = new PolicyCall(builder.policy, scripts, serverClock);
    this.reports = new Reports(builder.policy.name(), builder.listener);
    this.fallback = new Fallback(builder.policy, builder.probeInterval);
    this.breakers = new Breakers(redis, builder.timeout, builder.probeInterval, builder.listener);
    this.calls = new Calls(redis, keys, timeout, breakers, reports);
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
    fallback.changePolicy(policy);
    call = new PolicyCall(policy, scripts, serverClock);
    waiters.askAgain();
  }

  @Override
  public Decision tryAcquire(String key, long permits) {
    return await(tryAcquireAsync(key, permits));
  }

  @Override
  public CompletableFuture<Decision> tryAcquireAsync(String key, long permits) {
    return decide(key, permits, Operation.ACQUIRE);
  }

  @Override
  public CompletableFuture<Decision> acquireAsync(String key, long permits, Duration timeout) {
    return waiters.acquireAsync(key, permits, timeout);
  }

  @Override
  public Decision peek(String key, long permits) {
    return await(peekAsync(key, permits));
  }

  @Override
  public CompletableFuture<Decision> peekAsync(String key, long permits) {
    return decide(key, permits, Operation.PEEK);
  }

  @Override
  public void reset(String key) {
    await(resetAsync(key));
  }

  @Override
  public CompletableFuture<Void> resetAsync(String key) {
    byte[] redisKey = keys.of(Objects.requireNonNull(key, "key"));
    return resetAsync(key, List.of(redisKey, keys.reservations(redisKey)));
  }

  /** As {@link #resetAsync(String)}, of these keys in the slot of the key. */
  CompletableFuture<Void> resetAsync(String key, List<byte[]> redisKeys) {
    fallback.reset(key);
    Breaker breaker = breakers.of(redisKeys.get(0));
    FailureCause open = breaker.openFor();
    if (open != null) {
      return CompletableFuture.failedFuture(reports.still(open));
    }
    CompletableFuture<Void> sent = redis.delete(redisKeys);
    return sent.copy()
        .orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
        .whenComplete(
            (removed, failure) -> {
              if (failure != null) {
                // What was not sent yet must not be carried out later, when nobody expects it.
                sent.cancel(true);
              }
              waiters.askAgain(key);
            })
        .exceptionallyCompose(
            failure ->
                CompletableFuture.failedFuture(
                    reports.mistake(
                        calls.noted(breaker, redisKeys.get(0), failure), Failures.root(failure))));
  }

  /**
   * Looks at the Redis that the limiter uses, at each shard of a Cluster, for an application to
   * call when it starts: that scripts may run and do all that decisions need, that it is a master,
   * that it does not evict keys, that its version is one that Weir is tested on, that a Cluster
   * serves all slots and the client is one for a Cluster. It also loads what the first decision
   * would have to load. Waits up to five seconds for each answer.
   *
   * @return a sentence for each thing that is not so and that decisions survive; empty if all is
   *     well
   * @throws RateLimiterException if decisions cannot be made: no connection, no permission, a
   *     replica, slots that nobody serves, a Cluster without a Cluster client
   */
  public List<String> check() {
    try {
      List<String> oneOfEachShard = StartupCheck.keys(redis, keys::of);
      List<String> warnings = new StartupCheck(redis, CHECK_TIMEOUT).run(oneOfEachShard, keys::of);
      warmUp(oneOfEachShard);
      return warnings;
    } catch (CompletionException e) {
      throw reports.mistake(FailureCauses.of(e), Failures.root(e));
    }
  }

  /** Asks until answers come in time one after the other, which the first ones of a JVM do not. */
  private void warmUp(List<String> warmKeys) {
    int calls = Math.max(WARM_UP_CALLS, warmKeys.size());
    long deadline = System.nanoTime() + CHECK_TIMEOUT.toNanos();
    for (int inTime = 0; inTime < calls && System.nanoTime() < deadline; inTime++) {
      if (peek(warmKeys.get(inTime % warmKeys.size())).source().isDegraded()) {
        inTime = 0;
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      }
    }
  }

  /** How often a key's state was damaged or not Weir's and was taken as fresh. */
  public long damagedStates() {
    return reports.damagedStates();
  }

  /** Closes the connection if the limiter opened it; one that the application gave stays open. */
  @Override
  public void close() {
    waiters.close();
    breakers.close();
    redis.close();
  }

  @Override
  public CompletableFuture<Decision> chargeAsync(String key, long permits) {
    return decide(key, permits, Operation.CHARGE);
  }

  private CompletableFuture<Decision> decide(String key, long permits, Operation operation) {
    Limit.checkPermits(permits, 0);
    long start = System.nanoTime();
    PolicyCall current = call;
    return calls
        .new Call<>(
            key,
            operation,
            reply -> current.read(reply, permits),
            (answer, reply) -> answer.decision(),
            cause -> fallback.decide(current.policy(), key, permits, operation, cause))
        .run(current, current.arguments(operation, permits))
        .whenComplete(reports.decided(start));
  }

  @Override
  public CompletableFuture<Decision> refundAsync(String key, long permits) {
    Limit.checkPermits(permits, 0);
    PolicyCall current = call;
    return refund(
        current,
        key,
        current.refund(permits, null),
        cause -> fallback.refund(current.policy(), key, permits, cause));
  }

  @Override
  public CompletableFuture<Decision> refundAsync(String key, Charge charge) {
    PolicyCall current = call;
    if (charge.source().isDegraded()) {
      return CompletableFuture.completedFuture(fallback.refund(current.policy(), key, charge));
    }
    return refund(
        current,
        key,
        current.refund(charge.permits(), charge),
        cause -> fallback.decide(current.policy(), key, 0, Operation.PEEK, cause));
  }

  private CompletableFuture<Decision> refund(
      PolicyCall current,
      String key,
      List<byte[]> arguments,
      Function<FailureCause, Decision> otherwise) {
    return calls
        .new Call<>(
            key,
            Operation.REFUND,
            reply -> current.read(reply, 0),
            (answer, reply) -> answer.decision(),
            otherwise)
        .run(current, arguments)
        .whenComplete((decision, failure) -> waiters.askAgain(key));
  }

  @Override
  public CompletableFuture<Reservation> reserveAsync(
      String key, long permits, Duration expiresAfter) {
    Limit.checkPermits(permits, 1);
    long life = Reservation.lifeMicros(expiresAfter);
    long nonce = ReservationId.newNonce();
    PolicyCall current = call;
    return calls
        .new Call<>(
            key,
            Operation.RESERVE,
            reply -> current.read(reply, permits, 1),
            (answer, reply) -> {
              long number = reply.get(reply.size() - 1);
              String id = number < 0 ? "" : new ReservationId(false, number, nonce).toString();
              return new Reservation(key, id, expiresAfter, answer.decision());
            },
            cause -> fallback.reserve(current.policy(), key, permits, expiresAfter, cause))
        .run(current, current.reserve(permits, nonce, life));
  }

  @Override
  public CompletableFuture<Settlement> settleAsync(String key, String reservationId, long permits) {
    Limit.checkPermits(permits, 0);
    ReservationId id = ReservationId.parse(reservationId);
    PolicyCall current = call;
    if (id.isLocal()) {
      return CompletableFuture.completedFuture(fallback.settle(current.policy(), key, id, permits));
    }
    return calls
        .new Call<>(
            key,
            Operation.SETTLE,
            reply -> current.read(reply, Math.max(0, reply.get(reply.size() - 1)), 1),
            (answer, reply) ->
                new Settlement(
                    reply.get(reply.size() - 1) >= 0,
                    answer.decision().permits(),
                    answer.decision()),
            cause ->
                new Settlement(
                    false, 0, fallback.decide(current.policy(), key, 0, Operation.PEEK, cause)))
        .run(current, current.settle(id, permits))
        .whenComplete((settlement, failure) -> waiters.askAgain(key));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Keys of one connection are decided together; on a Cluster those whose tags are the same: see
   * {@link Builder#slotTag}.
   */
  @Override
  public JointStore jointStore(String key) {
    return new RedisJointStore(redis.connection(), redis.isCluster() ? keys.slot(key) : "");
  }

  /** The policy as it is now. */
  PolicyCall call() {
    return call;
  }

  byte[] redisKey(String key) {
    return keys.of(key);
  }

  /**
   * A call of another script on keys in the slot of a key, with the budget, the breaker and the
   * reports of this limiter.
   *
   * @param at the keys, given the Redis key of the key
   * @param arguments the script's arguments
   * @param result reads the reply
   * @param otherwise what answers if there is none
   */
  <T> CompletableFuture<T> run(
      PolicyCall current,
      String key,
      Operation operation,
      BiFunction<RedisKeys, byte[], List<byte[]>> at,
      List<byte[]> arguments,
      BiFunction<Reports, List<Long>, T> result,
      Function<FailureCause, T> otherwise) {
    byte[] redisKey = keys.of(key);
    return calls
        .new Call<>(
            redisKey,
            operation,
            at.apply(keys, redisKey),
            reply -> result.apply(reports, reply),
            otherwise)
        .run(current, arguments);
  }

  /** The scripts' way to Redis. */
  RedisScripts redis() {
    return redis;
  }

  RedisKeys keys() {
    return keys;
  }

  Fallback fallback() {
    return fallback;
  }

  Reports reports() {
    return reports;
  }

  Script.Source scripts() {
    return scripts;
  }

  Calls calls() {
    return calls;
  }

  /** Waits for what is bounded by the time budget already. */
  private static <T> T await(CompletableFuture<T> answer) {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw Failures.root(e) instanceof RateLimiterException known
          ? known
          : new RateLimiterException("no decision: " + Failures.root(e), Failures.root(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RateLimiterException(
          "interrupted while waiting for Redis; the call may have been charged", e);
    }
  }

  /** The settings of a limiter. Not safe for use by several threads. */
  public static final class Builder {

    private RedisScripts redis;
    private final RateLimitPolicy policy;
    private String keyPrefix = DEFAULT_KEY_PREFIX;
    private Duration timeout = DEFAULT_TIMEOUT;
    private Duration probeInterval = DEFAULT_PROBE_INTERVAL;
    private RateLimiterListener listener = RateLimiterListener.NONE;
    private boolean hashKeys;
    private boolean coalescing;
    private @Nullable UnaryOperator<String> slotTag;
    private Script.Source scripts = Script::of;
    private ServerClock serverClock = ServerClock.ofMachine();

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
     * The time budget of a decision; {@link #DEFAULT_TIMEOUT} by default.
     *
     * @throws IllegalArgumentException if not more than zero and at most an hour
     */
    public Builder timeout(Duration timeout) {
      this.timeout = bounded("timeout", timeout);
      return this;
    }

    /**
     * How often Redis is asked whether it decides again after it did not; {@link
     * #DEFAULT_PROBE_INTERVAL} by default. It is also what a refusal by {@link
     * dev.weir.FailureMode.Kind#CLOSED} gives as its wait.
     *
     * @throws IllegalArgumentException if not more than zero and at most an hour
     */
    public Builder probeInterval(Duration probeInterval) {
      this.probeInterval = bounded("probeInterval", probeInterval);
      return this;
    }

    private static Duration bounded(String what, Duration value) {
      if (value.isNegative() || value.isZero() || value.compareTo(Duration.ofHours(1)) > 0) {
        throw new IllegalArgumentException(
            what + " must be more than zero and at most an hour, and was " + value);
      }
      return value;
    }

    /**
     * Whether decisions that are asked for at the same time are sent in few scripts, up to 64 in
     * one; off by default. A lone caller waits no longer for it, many callers much less; what fails
     * a script then fails all calls in it, each by the failure mode. In a Cluster only calls for
     * the same key go together.
     */
    public Builder coalescing(boolean coalescing) {
      this.coalescing = coalescing;
      return this;
    }

    /** Who is told what the limiter does; nobody by default. */
    public Builder listener(RateLimiterListener listener) {
      this.listener = Objects.requireNonNull(listener, "listener");
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

    /**
     * Names what shares a Cluster slot: keys for which it gives the same tag are in one, so that a
     * {@link dev.weir.JointLimiter} decides them in one atomic step. Such as the tenant of a user,
     * in the limiters of users and of tenants alike. By default each key has a slot of its own.
     * Changing it gives all keys other names, and with them fresh limits. Never give one tag to all
     * keys of a large application: all of them would be on one node.
     *
     * @param tagOfKey gives the tag of a key of this limiter; pure and quick
     */
    public Builder slotTag(UnaryOperator<String> tagOfKey) {
      this.slotTag = Objects.requireNonNull(tagOfKey, "tagOfKey");
      return this;
    }

    /** What to send scripts through instead: for replays. */
    Builder through(UnaryOperator<RedisScripts> wrapping) {
      this.redis = wrapping.apply(redis);
      return this;
    }

    /** The scripts to send: for tests, which bring their own clock. */
    Builder scripts(Script.Source scripts) {
      this.scripts = scripts;
      return this;
    }

    /** What to take for Redis' time at first: for tests. */
    Builder serverClock(ServerClock serverClock) {
      this.serverClock = serverClock;
      return this;
    }

    /** Makes the limiter. Nothing is sent to Redis before the first call. */
    public RedisRateLimiter build() {
      return new RedisRateLimiter(this);
    }
  }
}
