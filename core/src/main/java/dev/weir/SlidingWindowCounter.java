package dev.weir;

import java.time.Duration;

/**
 * At most {@code limit} permits in a window, estimated from two counts: this window's, and the last
 * window's weighted by how much of it still lies within one window's length. Windows start at whole
 * multiples of their length since the epoch.
 *
 * <p>The estimate takes the last window's charges as spread evenly. The worst case is just under
 * {@code 2 x limit} in one window's length; docs/algorithms.md has the exact bound.
 *
 * @param limit the most permits in one window, 1 to {@link Limit#MAX_PERMITS}
 * @param window the length of the window, 1 ms to ten years, in whole microseconds
 */
public record SlidingWindowCounter(long limit, Duration window) implements Limit {

  /** Checks the numbers. */
  public SlidingWindowCounter {
    LimitNumbers.permits("limit", limit);
    LimitNumbers.duration("window", window);
  }

  /** At most {@code limit} permits in a window, estimated from two counts. */
  public static SlidingWindowCounter of(long limit, Duration window) {
    return new SlidingWindowCounter(limit, window);
  }

  @Override
  public AlgorithmKind kind() {
    return AlgorithmKind.SLIDING_WINDOW_COUNTER;
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
