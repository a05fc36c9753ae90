package dev.weir.testkit;

import java.util.function.LongPredicate;

/** Searches for where a condition that once true stays true becomes true. */
final class Search {

  private Search() {}

  /** The first time after {@code from} at which the condition holds; it does not hold there. */
  static long firstTime(long from, LongPredicate condition) {
    long step = 1;
    long low = from;
    while (!condition.test(low + step)) {
      low += step;
      step = Math.multiplyExact(step, 2);
    }
    return first(low + 1, low + step, condition);
  }

  /** The first number from {@code low} to {@code high} that the condition holds for. */
  static long first(long low, long high, LongPredicate condition) {
    long from = low;
    long to = high;
    while (from < to) {
      long middle = from + (to - from) / 2;
      if (condition.test(middle)) {
        to = middle;
      } else {
        from = middle + 1;
      }
    }
    return from;
  }
}
