package dev.weir.algorithm;

/**
 * A view of a log of charges at a time: the entries that count.
 *
 * @param lastMicros the time; of a stored state that of its last charge
 * @param log the entries, shared by all views; only the newest view may be charged
 * @param firstCounting the first entry that counts
 */
record LogState(long lastMicros, ChargeLog log, long firstCounting) implements LimitState {

  @Override
  public long used() {
    return log.end() == firstCounting ? 0 : log.total(log.end() - 1) - totalBefore();
  }

  /** The permits of all entries before those that count. */
  long totalBefore() {
    return log.total(firstCounting - 1);
  }
}
