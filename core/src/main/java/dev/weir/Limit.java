package dev.weir;

import java.time.Duration;

/**
 * One rule: how many permits a key may use in what time. Immutable, and exact: a limit whose
 * numbers cannot be computed exactly is refused when it is made, with the bound in the message.
 *
 * <p>What all limits have in common:
 *
 * <ul>
 *   <li>permits are whole numbers from 1 to {@link #MAX_PERMITS};
 *   <li>durations are whole microseconds from {@link #MIN_DURATION} to {@link #MAX_DURATION};
 *   <li>a state lasts no longer than {@link #MAX_LIFETIME_MICROS} until it equals a fresh one.
 * </ul>
 */
public sealed interface Limit
    permits TokenBucket,
        FixedWindow,
        SlidingWindowLog,
        SlidingWindowCounter,
        LeakyBucket,
        Concurrency,
        CalendarWindow {

  /** The most permits a limit can hold, and the most a call can ask for: 1,000,000,000. */
  long MAX_PERMITS = 1_000_000_000L;

  /** The shortest period or window: one millisecond. */
  Duration MIN_DURATION = Duration.ofMillis(1);

  /** The longest period or window: ten years, counted as 3,653 days. */
  Duration MAX_DURATION = Duration.ofDays(3653);

  /**
   * The longest time any state may need until it equals a fresh one: 2^52 microseconds, about 142
   * years. It keeps every instant below 2^53, the largest range in which a double counts exactly.
   */
  long MAX_LIFETIME_MICROS = 1L << 52;

  /**
   * Checks the permits that a call asks for.
   *
   * @param least the fewest that make sense, 0 or 1
   * @throws IllegalArgumentException if not from that to {@link #MAX_PERMITS}
   */
  static void checkPermits(long permits, long least) {
    if (permits < least || permits > MAX_PERMITS) {
      throw new IllegalArgumentException(
          "permits must be from " + least + " to " + MAX_PERMITS + ", and were " + permits);
    }
  }

  /** Which algorithm judges this limit. */
  AlgorithmKind kind();

  /** The most permits that can be free at once: the capacity of a bucket, the limit of a window. */
  long capacity();

  /**
   * The time over which {@link #capacity()} permits become free again: the window, or for a bucket
   * the time an empty one takes to fill, rounded up to whole microseconds. It is what quota headers
   * give as their window.
   */
  Duration quotaWindow();
}
