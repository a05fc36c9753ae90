package dev.weir;

import java.time.Duration;

/**
 * At most {@code limit} permits in any interval of the window's length, exactly: the time of every
 * charge is kept. A charge at time x counts until just before x + window.
 *
 * <p>Charges of one instant share an entry. At most {@link #MAX_ENTRIES} entries are kept for a
 * key; a key that has charged at that many distinct instants within one window is refused until the
 * oldest of them has left it, whatever the limit.
 *
 * @param limit the most permits in one window, 1 to {@link Limit#MAX_PERMITS}
 * @param window the length of the window, 1 ms to ten years, in whole microseconds
 */
public record SlidingWindowLog(long limit, Duration window) implements Limit {

  /** The most entries kept for one key: 1,048,576. */
  public static final long MAX_ENTRIES = 1L << 20;

  /** Checks the numbers. */
  public SlidingWindowLog {
    LimitNumbers.permits("limit", limit);
    LimitNumbers.duration("window", window);
  }

  /** At most {@code limit} permits in any interval of the window's length. */
  public static SlidingWindowLog of(long limit, Duration window) {
    return new SlidingWindowLog(limit, window);
  }

  @Override
  public AlgorithmKind kind() {
    return AlgorithmKind.SLIDING_WINDOW_LOG;
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
