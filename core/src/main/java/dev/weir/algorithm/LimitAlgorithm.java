package dev.weir.algorithm;

import dev.weir.CalendarWindow;
import dev.weir.Charge;
import dev.weir.Concurrency;
import dev.weir.FixedWindow;
import dev.weir.LeakyBucket;
import dev.weir.Limit;
import dev.weir.SlidingWindowCounter;
import dev.weir.SlidingWindowLog;
import dev.weir.TokenBucket;
import org.jspecify.annotations.Nullable;

/**
 * The arithmetic of one limit. Immutable; every method is pure, but for the log of {@link
 * SlidingWindowLogAlgorithm#charge}.
 *
 * <p>The life of a call: {@link #advance} the stored state to the time of the call; ask how much is
 * {@link #available}; if the cost is more, {@link #waitMicros} says how long to wait; otherwise, if
 * every limit of the policy agrees, {@link #charge} makes the state to store.
 *
 * @param <S> the kind of state it keeps
 */
public abstract sealed class LimitAlgorithm<S extends LimitState>
    permits DrainAlgorithm,
        IntervalTokenBucketAlgorithm,
        FixedWindowAlgorithm,
        SlidingWindowLogAlgorithm,
        SlidingWindowCounterAlgorithm,
        ConcurrencyAlgorithm,
        CalendarWindowAlgorithm {

  private final long capacity;

  LimitAlgorithm(long capacity) {
    this.capacity = capacity;
  }

  /** The algorithm that judges a limit. */
  public static LimitAlgorithm<? extends LimitState> of(Limit limit) {
    return switch (limit.kind()) {
      case TOKEN_BUCKET -> tokenBucket((TokenBucket) limit);
      case FIXED_WINDOW -> new FixedWindowAlgorithm((FixedWindow) limit);
      case SLIDING_WINDOW_LOG -> new SlidingWindowLogAlgorithm((SlidingWindowLog) limit);
      case SLIDING_WINDOW_COUNTER ->
          new SlidingWindowCounterAlgorithm((SlidingWindowCounter) limit);
      case LEAKY_BUCKET -> DrainAlgorithm.of((LeakyBucket) limit);
      case CONCURRENCY -> new ConcurrencyAlgorithm((Concurrency) limit);
      case CALENDAR_WINDOW -> new CalendarWindowAlgorithm((CalendarWindow) limit);
    };
  }

  private static LimitAlgorithm<? extends LimitState> tokenBucket(TokenBucket bucket) {
    return switch (bucket.refill()) {
      case SMOOTH -> DrainAlgorithm.of(bucket);
      case INTERVAL -> new IntervalTokenBucketAlgorithm(bucket);
    };
  }

  /** The most permits that can be free at once. */
  public final long capacity() {
    return capacity;
  }

  /**
   * The state at a time.
   *
   * @param stored the state last stored, by this algorithm or another, or {@code null} for a fresh
   *     key
   * @param nowMicros the time of the call; one before the state's own is treated as the state's
   */
  public abstract S advance(@Nullable LimitState stored, long nowMicros);

  /** How many single permits would be admitted now; 0 to {@link #capacity()}. */
  public abstract long available(S state);

  /**
   * The least time after {@link LimitState#lastMicros()} at which {@code permits} are available.
   *
   * @param permits more than are available, at most {@link #capacity()}
   */
  public abstract long waitMicros(S state, long permits);

  /**
   * The state after charging.
   *
   * @param permits at least 1; at most what is available, or what {@link #canOwe} agrees to
   */
  public abstract S charge(S state, long permits);

  /**
   * Whether a charge beyond the limit can be kept: at most {@link Limit#MAX_PERMITS} are owed, and
   * for no longer than any state may last.
   */
  public boolean canOwe(S state, long permits) {
    return state.used() + permits <= capacity + Limit.MAX_PERMITS;
  }

  /**
   * The state after giving back; the same object if nothing of the charge is left.
   *
   * @param permits how many at most, at least 1
   * @param charged the charge they are from, of which no more is given back than is left; or {@code
   *     null} to give back what is in use, the newest first
   */
  public abstract S refund(S state, long permits, Charge.@Nullable OfLimit charged);

  /** The time after {@link LimitState#lastMicros()} at which the state equals a fresh one. */
  public abstract long resetMicros(S state);

  /** The time until the turn of a call made at this state, before its charge. */
  public long delayMicros(S state) {
    return 0;
  }
}
