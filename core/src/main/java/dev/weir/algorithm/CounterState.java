package dev.weir.algorithm;

/**
 * The counts of two windows.
 *
 * @param lastMicros the time of the last charge, which tells the current window
 * @param current the permits charged in the current window
 * @param previous the permits charged in the one before
 * @param carried how many of the previous window's permits still count at that time, rounded up
 */
record CounterState(long lastMicros, long current, long previous, long carried)
    implements LimitState {

  @Override
  public long used() {
    return current + carried;
  }
}
