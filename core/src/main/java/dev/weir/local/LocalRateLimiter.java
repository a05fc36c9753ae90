package dev.weir.local;

import dev.weir.Charge;
import dev.weir.Decision;
import dev.weir.JointStore;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterListener;
import dev.weir.Reservation;
import dev.weir.Settlement;
import dev.weir.TimeSource;
import dev.weir.algorithm.PolicyAlgorithm;
import dev.weir.algorithm.ReservationId;
import dev.weir.wait.WaitQueue;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A rate limiter whose state is in the memory of this process: exact for its own callers, and
 * unknown to other processes.
 *
 * <p>Its memory is bounded. It keeps up to {@link Builder#maxKeys} keys and forgets one only when
 * its state equals a fresh one. When that many keys are in use, further ones share overflow states:
 * such a key may be refused what others used, and is never given a fresh limit by being forgotten.
 */
public final class LocalRateLimiter implements RateLimiter {

  /** How many keys are kept unless told otherwise: 1,000,000. */
  public static final int DEFAULT_MAX_KEYS = 1_000_000;

  private static final System.Logger LOG = System.getLogger(LocalRateLimiter.class.getName());

  private static final int STRIPES = 256;

  private final TimeSource timeSource;
  private final RateLimiterListener listener;
  private final Stripe[] stripes;
  private final AtomicInteger kept = new AtomicInteger();
  private final WaitQueue waiters =
      new WaitQueue((k, n, charge) -> charge ? tryAcquireAsync(k, n) : peekAsync(k, n));
  private volatile PolicyAlgorithm algorithm;

  private LocalRateLimiter(Builder builder) {
    this.algorithm = new PolicyAlgorithm(builder.policy);
    this.timeSource = builder.timeSource;
    this.listener = builder.listener;
    this.stripes = new Stripe[STRIPES];
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe(stripes, kept, builder.maxKeys);
    }
  }

  /** A limiter with the default settings. */
  public static LocalRateLimiter create(RateLimitPolicy policy) {
    return builder(policy).build();
  }

  /** Starts a limiter with settings of its own. */
  public static Builder builder(RateLimitPolicy policy) {
    return new Builder(policy);
  }

  @Override
  public RateLimitPolicy policy() {
    return algorithm.policy();
  }

  @Override
  public void changePolicy(RateLimitPolicy policy) {
    if (!policy.name().equals(policy().name())) {
      throw new IllegalArgumentException(
          "this limiter applies policy '%s' and cannot change to '%s'; make a limiter for that one"
              .formatted(policy().name(), policy.name()));
    }
    algorithm = new PolicyAlgorithm(policy);
    waiters.askAgain();
  }

  @Override
  public Decision tryAcquire(String key, long permits) {
    return decide(key, permits, true);
  }

  @Override
  public CompletableFuture<Decision> tryAcquireAsync(String key, long permits) {
    return CompletableFuture.completedFuture(tryAcquire(key, permits));
  }

  @Override
  public CompletableFuture<Decision> acquireAsync(String key, long permits, Duration timeout) {
    return waiters.acquireAsync(key, permits, timeout);
  }

  @Override
  public Decision peek(String key, long permits) {
    return decide(key, permits, false);
  }

  @Override
  public CompletableFuture<Decision> peekAsync(String key, long permits) {
    return CompletableFuture.completedFuture(peek(key, permits));
  }

  @Override
  public void reset(String key) {
    stripe(key).reset(key);
    waiters.askAgain(key);
  }

  @Override
  public CompletableFuture<Void> resetAsync(String key) {
    reset(key);
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletableFuture<Decision> chargeAsync(String key, long permits) {
    Limit.checkPermits(permits, 0);
    PolicyAlgorithm current = algorithm;
    long now = timeSource.epochMicros();
    return answer(stripe(key).decide(key, now, stored -> current.charge(stored, permits, now)));
  }

  @Override
  public CompletableFuture<Decision> refundAsync(String key, long permits) {
    Limit.checkPermits(permits, 0);
    return refund(key, permits, null);
  }

  @Override
  public CompletableFuture<Decision> refundAsync(String key, Charge charge) {
    return refund(key, charge.permits(), charge);
  }

  private CompletableFuture<Decision> refund(String key, long permits, @Nullable Charge charge) {
    PolicyAlgorithm current = algorithm;
    long now = timeSource.epochMicros();
    Decision decision =
        stripe(key).decide(key, now, stored -> current.refund(stored, permits, charge, now));
    waiters.askAgain(key);
    return answer(decision);
  }

  @Override
  public CompletableFuture<Reservation> reserveAsync(
      String key, long permits, Duration expiresAfter) {
    Limit.checkPermits(permits, 1);
    long life = Reservation.lifeMicros(expiresAfter);
    return answer(stripe(key).reserve(algorithm, key, permits, life, timeSource.epochMicros()));
  }

  @Override
  public CompletableFuture<Settlement> settleAsync(String key, String reservationId, long permits) {
    Limit.checkPermits(permits, 0);
    ReservationId id = ReservationId.parse(reservationId);
    Settlement settlement =
        stripe(key).settle(algorithm, key, id, permits, timeSource.epochMicros());
    waiters.askAgain(key);
    return answer(settlement);
  }

  private static <T> CompletableFuture<T> answer(T answer) {
    return CompletableFuture.completedFuture(answer);
  }

  /** How many keys are kept now. A moment's figure, for metrics. */
  public int size() {
    return kept.get();
  }

  private Decision decide(String key, long permits, boolean charge) {
    Limit.checkPermits(permits, 0);
    boolean isHeard = listener != RateLimiterListener.NONE;
    long start = isHeard ? System.nanoTime() : 0;
    Decision decision = decide(key, permits, charge, timeSource.epochMicros());
    if (isHeard) {
      tell(decision, System.nanoTime() - start);
    }
    return decision;
  }

  /** Decides at a time that was read before. */
  Decision decide(String key, long permits, boolean charge, long nowMicros) {
    PolicyAlgorithm current = algorithm;
    return stripe(key)
        .decide(key, nowMicros, stored -> current.decide(stored, permits, charge, nowMicros));
  }

  /** Limiters that read one clock decide together. */
  @Override
  public JointStore jointStore(String key) {
    return new LocalJointStore(timeSource);
  }

  private void tell(Decision decision, long nanos) {
    try {
      listener.decided(decision, nanos);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "a listener failed", e);
    }
  }

  /** The stripe that has a key. */
  Stripe stripe(String key) {
    Objects.requireNonNull(key, "key");
    int hash = key.hashCode();
    return stripes[(hash ^ (hash >>> 16)) & (stripes.length - 1)];
  }

  /** The settings of a limiter. Not safe for use by several threads. */
  public static final class Builder {

    private final RateLimitPolicy policy;
    private TimeSource timeSource = TimeSource.monotonic();
    private RateLimiterListener listener = RateLimiterListener.NONE;
    private int maxKeys = DEFAULT_MAX_KEYS;

    private Builder(RateLimitPolicy policy) {
      this.policy = Objects.requireNonNull(policy, "policy");
    }

    /** Where to read the time; {@link TimeSource#monotonic()} by default. */
    public Builder timeSource(TimeSource timeSource) {
      this.timeSource = Objects.requireNonNull(timeSource, "timeSource");
      return this;
    }

    /**
     * How many keys to keep at most, 1 or more; {@link LocalRateLimiter#DEFAULT_MAX_KEYS} by
     * default. A key in use takes about 250 bytes, and 16 more for each entry of a sliding log.
     *
     * @throws IllegalArgumentException if less than 1
     */
    public Builder maxKeys(int maxKeys) {
      if (maxKeys < 1) {
        throw new IllegalArgumentException("maxKeys must be 1 or more, and was " + maxKeys);
      }
      this.maxKeys = maxKeys;
      return this;
    }

    /** Who is told what the limiter decides; nobody by default. */
    public Builder listener(RateLimiterListener listener) {
      this.listener = Objects.requireNonNull(listener, "listener");
      return this;
    }

    /** Makes the limiter. */
    public LocalRateLimiter build() {
      return new LocalRateLimiter(this);
    }
  }
}
