package dev.weir;

import java.time.Duration;
import java.util.Objects;

/**
 * At most {@code limit} permits in each window; the count starts anew with the next window.
 *
 * <p>Two bursts around the end of a window can admit up to {@code 2 x limit} permits within one
 * window's length; a {@link SlidingWindowLog} or {@link SlidingWindowCounter} does not.
 *
 * @param limit the most permits in one window, 1 to {@link Limit#MAX_PERMITS}
 * @param window the length of a window, 1 ms to ten years, in whole microseconds
 * @param alignment where a window starts
 */
public record FixedWindow(long limit, Duration window, Alignment alignment) implements Limit {

  /** Where a window starts. */
  public enum Alignment {
    /** At the first charge after the last window's end; calls that come evenly stay admitted. */
    FIRST_CHARGE,
    /** At whole multiples of the window since the epoch, 1970-01-01T00:00:00Z, for every key. */
    CLOCK
  }

  /** Checks the numbers. */
  public FixedWindow {
    LimitNumbers.permits("limit", limit);
    LimitNumbers.duration("window", window);
    Objects.requireNonNull(alignment, "alignment");
  }

  /** A window that starts at the first charge. */
  public static FixedWindow of(long limit, Duration window) {
    return new FixedWindow(limit, window, Alignment.FIRST_CHARGE);
  }

  /** A window that starts at whole multiples of its length since the epoch. */
  public static FixedWindow alignedToClock(long limit, Duration window) {
    return new FixedWindow(limit, window, Alignment.CLOCK);
  }

  @Override
  public AlgorithmKind kind() {
    return AlgorithmKind.FIXED_WINDOW;
  }

  @Override
  public long capacity() {
    return limit;
  }

  @Override
  public Duration quotaWindow() {
    return window;
  }
}
