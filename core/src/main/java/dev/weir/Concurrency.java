package dev.weir;

import java.time.Duration;

/**
 * At most {@code permits} held at one time. A permit is held from the call that takes it until it
 * is given back, by {@link RateLimiter#settle(Reservation, long) settle}, {@link
 * RateLimiter#cancel(Reservation) cancel} or {@link RateLimiter#refund(String, Charge) refund}, or
 * until its lease ends: what a process that crashed has held is free again then.
 *
 * <p>A lease should be longer than the longest work. Whoever holds a permit beyond its lease holds
 * it no more as far as this limit is concerned.
 *
 * @param permits the most that are held at one time, 1 to {@link Limit#MAX_PERMITS}
 * @param lease how long a permit is held at most, 1 ms to ten years, in whole microseconds
 */
public record Concurrency(long permits, Duration lease) implements Limit {

  /**
   * The most leases taken at different instants that one key keeps: 10,000. A call that would need
   * one more is refused until the oldest ends.
   */
  public static final int MAX_LEASES = 10_000;

  /** Checks the numbers. */
  public Concurrency {
    LimitNumbers.permits("permits", permits);
    LimitNumbers.duration("lease", lease);
  }

  /** At most so many at one time, each for at most the lease. */
  public static Concurrency of(long permits, Duration lease) {
    return new Concurrency(permits, lease);
  }

  @Override
  public AlgorithmKind kind() {
    return AlgorithmKind.CONCURRENCY;
  }

  @Override
  public long capacity() {
    return permits;
  }

  @Override
  public Duration quotaWindow() {
    return lease;
  }
}
