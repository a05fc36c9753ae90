package dev.weir.testkit;

import dev.weir.Concurrency;
import dev.weir.FixedWindow;
import dev.weir.LeakyBucket;
import dev.weir.Limit;
import dev.weir.SlidingWindowCounter;
import dev.weir.SlidingWindowLog;
import dev.weir.TokenBucket;
import java.time.Duration;

/** Every kind of limit there is, so that a test can be run on each. */
public enum Shape {
  /** {@link TokenBucket} that is refilled smoothly. */
  TOKEN_BUCKET_SMOOTH,
  /** {@link TokenBucket} that is refilled at intervals. */
  TOKEN_BUCKET_INTERVAL,
  /** {@link FixedWindow} from the first charge on. */
  FIXED_WINDOW_FIRST_CHARGE,
  /** {@link FixedWindow} of the clock. */
  FIXED_WINDOW_CLOCK,
  /** {@link SlidingWindowLog}. */
  SLIDING_WINDOW_LOG,
  /** {@link SlidingWindowCounter}. */
  SLIDING_WINDOW_COUNTER,
  /** {@link LeakyBucket} whose calls go at once. */
  LEAKY_BUCKET_POLICING,
  /** {@link LeakyBucket} whose calls carry a delay. */
  LEAKY_BUCKET_SHAPING,
  /** {@link Concurrency}. */
  CONCURRENCY;

  /** A limit of this kind: that many permits in that time, and all of them may come at once. */
  public Limit of(long permits, Duration per) {
    return switch (this) {
      case TOKEN_BUCKET_SMOOTH -> TokenBucket.smooth(permits, permits, per);
      case TOKEN_BUCKET_INTERVAL -> TokenBucket.interval(permits, permits, per);
      case FIXED_WINDOW_FIRST_CHARGE -> FixedWindow.of(permits, per);
      case FIXED_WINDOW_CLOCK -> FixedWindow.alignedToClock(permits, per);
      case SLIDING_WINDOW_LOG -> SlidingWindowLog.of(permits, per);
      case SLIDING_WINDOW_COUNTER -> SlidingWindowCounter.of(permits, per);
      case LEAKY_BUCKET_POLICING -> LeakyBucket.policing(permits, permits, per);
      case LEAKY_BUCKET_SHAPING -> LeakyBucket.shaping(permits, permits, per);
      case CONCURRENCY -> Concurrency.of(permits, per);
    };
  }

  /**
   * How long after a charge of everything, made at a multiple of the window, the first permit of
   * one is free again: the window for a limit of one permit, and twice that for the sliding
   * counter, where the charge still counts all through the next window.
   */
  Duration onePermitAfter(Duration window) {
    return this == SLIDING_WINDOW_COUNTER ? window.multipliedBy(2) : window;
  }
}
