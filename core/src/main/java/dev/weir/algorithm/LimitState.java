package dev.weir.algorithm;

/**
 * What is stored for one limit of a key. A state is moved to the time of a call with {@link
 * LimitAlgorithm#advance}; only {@link LimitAlgorithm#charge} makes one that is worth storing.
 */
public sealed interface LimitState
    permits DrainState, IntervalState, WindowState, CounterState, LogState, ConcurrencyState {

  /** The latest time this state has seen, in microseconds since the epoch. */
  long lastMicros();

  /**
   * The permits in use at {@link #lastMicros()}, rounded up: what another algorithm takes as
   * charged at that time when a limit's algorithm is changed.
   */
  long used();
}
