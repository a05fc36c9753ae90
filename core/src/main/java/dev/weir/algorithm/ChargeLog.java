package dev.weir.algorithm;

import java.util.Arrays;

/**
 * The charges of a sliding window log, oldest first: a ring of times and running totals. Not safe
 * for use by several threads; mutable, so that a charge costs the same however long the log is.
 *
 * <p>Entries are numbered from the first ever made. The total of an entry counts all permits up to
 * and with it, so that the permits of a range are one subtraction.
 */
final class ChargeLog {

  private static final int SMALLEST = 4;

  private long[] times = new long[SMALLEST];
  private long[] totals = new long[SMALLEST];
  private long first;
  private long end;
  private long totalBeforeFirst;

  /** The number of the oldest entry kept. */
  long first() {
    return first;
  }

  /** The number after that of the newest entry. */
  long end() {
    return end;
  }

  long time(long entry) {
    return times[(int) (entry & (times.length - 1))];
  }

  /** The permits of all entries up to and with this one; {@code first - 1} is a valid argument. */
  long total(long entry) {
    return entry < first ? totalBeforeFirst : totals[(int) (entry & (totals.length - 1))];
  }

  /** The first entry after a time; {@link #end} if there is none. */
  long firstAfter(long micros) {
    long low = first;
    long high = end;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (time(middle) > micros) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** The first entry whose total is at least that. */
  long firstWithTotal(long total) {
    long low = first;
    long high = end - 1;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (total(middle) >= total) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** Takes permits out of an entry, at most what it has. */
  void take(long entry, long permits) {
    for (long i = entry; i < end; i++) {
      totals[(int) (i & (totals.length - 1))] -= permits;
    }
    dropEmptyNewest();
  }

  /** Takes permits out of the newest entries, at most what all have. */
  void takeNewest(long permits) {
    long total = total(end - 1) - permits;
    end = firstWithTotal(total) + 1;
    totals[(int) ((end - 1) & (totals.length - 1))] = total;
    dropEmptyNewest();
  }

  /** Entries of which nothing is left must not be the newest, which tells when all is over. */
  private void dropEmptyNewest() {
    long total = total(end - 1);
    end = total == totalBeforeFirst ? first : firstWithTotal(total) + 1;
  }

  /** Forgets the entries before this one. */
  void dropBefore(long entry) {
    if (entry > first) {
      totalBeforeFirst = total(entry - 1);
      first = entry;
    }
  }

  /** Adds permits at a time that is not before the newest entry's. */
  void add(long micros, long permits) {
    if (end > first && time(end - 1) == micros) {
      totals[(int) ((end - 1) & (totals.length - 1))] += permits;
      return;
    }
    long total = total(end - 1) + permits;
    if (end - first == times.length) {
      grow();
    }
    times[(int) (end & (times.length - 1))] = micros;
    totals[(int) (end & (totals.length - 1))] = total;
    end++;
  }

  private void grow() {
    long[] oldTimes = times;
    long[] oldTotals = totals;
    times = Arrays.copyOf(oldTimes, oldTimes.length * 2);
    totals = Arrays.copyOf(oldTotals, oldTotals.length * 2);
    for (long entry = first; entry < end; entry++) {
      times[(int) (entry & (times.length - 1))] = oldTimes[(int) (entry & (oldTimes.length - 1))];
      totals[(int) (entry & (totals.length - 1))] =
          oldTotals[(int) (entry & (oldTotals.length - 1))];
    }
  }
}
