package dev.weir;

import java.time.Duration;
import java.util.Objects;

/**
 * A bucket that fills with each call's cost and leaks at a fixed rate; a call that would make it
 * overflow is refused.
 *
 * <p>In any interval of length w at most {@code capacity + floor(rate x w)} permits are admitted.
 * With {@link Mode#SHAPING} each admitted call also carries a {@linkplain Decision#delay() delay},
 * the time until its own turn, so that calls which wait it out are released evenly at the leak
 * rate.
 *
 * @param capacity the most permits the bucket holds, 1 to {@link Limit#MAX_PERMITS}
 * @param leakPermits the permits that leak in each period, 1 to {@link Limit#MAX_PERMITS}
 * @param leakPeriod the period, 1 ms to ten years, in whole microseconds
 * @param mode whether admitted calls go at once or carry a delay
 */
public record LeakyBucket(long capacity, long leakPermits, Duration leakPeriod, Mode mode)
    implements Limit {

  /** What an admitted call is told. */
  public enum Mode {
    /** To go at once. */
    POLICING,
    /** To wait for its turn at the leak rate. */
    SHAPING
  }

  /** Checks the numbers. */
  public LeakyBucket {
    LimitNumbers.permits("capacity", capacity);
    LimitNumbers.permits("leakPermits", leakPermits);
    LimitNumbers.duration("leakPeriod", leakPeriod);
    Objects.requireNonNull(mode, "mode");
    LimitNumbers.lifetime(
        "leaking a capacity", LimitNumbers.timeFor(capacity, leakPermits, leakPeriod), capacity);
  }

  /** A bucket whose admitted calls go at once. */
  public static LeakyBucket policing(long capacity, long leakPermits, Duration leakPeriod) {
    return new LeakyBucket(capacity, leakPermits, leakPeriod, Mode.POLICING);
  }

  /** A bucket whose admitted calls carry the delay until their turn. */
  public static LeakyBucket shaping(long capacity, long leakPermits, Duration leakPeriod) {
    return new LeakyBucket(capacity, leakPermits, leakPeriod, Mode.SHAPING);
  }

  @Override
  public AlgorithmKind kind() {
    return AlgorithmKind.LEAKY_BUCKET;
  }

  @Override
  public Duration quotaWindow() {
    return LimitNumbers.timeFor(capacity, leakPermits, leakPeriod);
  }
}
