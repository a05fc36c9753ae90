package dev.weir.algorithm;

/**
 * The permits held at present. The arrays are never changed.
 *
 * @param lastMicros the time of the last charge or release
 * @param times when permits were taken, ascending
 * @param permits how many were taken then and are held still, 1 or more each
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and seen in this package alone
record ConcurrencyState(long lastMicros, long[] times, long[] permits) implements LimitState {

  @Override
  public long used() {
    long held = 0;
    for (long each : permits) {
      held += each;
    }
    return held;
  }

  int count() {
    return times.length;
  }
}
