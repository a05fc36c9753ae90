package dev.weir;

import java.util.Locale;

/**
 * The algorithms, as the words used in configuration, metrics and the wire: {@code token-bucket},
 * {@code fixed-window}, {@code sliding-window-log}, {@code sliding-window-counter}, {@code
 * leaky-bucket}, {@code concurrency}, {@code calendar-window}.
 */
public enum AlgorithmKind {
  /** {@link TokenBucket}. */
  TOKEN_BUCKET,
  /** {@link FixedWindow}. */
  FIXED_WINDOW,
  /** {@link SlidingWindowLog}. */
  SLIDING_WINDOW_LOG,
  /** {@link SlidingWindowCounter}. */
  SLIDING_WINDOW_COUNTER,
  /** {@link LeakyBucket}. */
  LEAKY_BUCKET,
  /** {@link Concurrency}. */
  CONCURRENCY,
  /** {@link CalendarWindow}. */
  CALENDAR_WINDOW;

  private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

  /** The word for it: lower case, with hyphens. */
  public String word() {
    return word;
  }
}
