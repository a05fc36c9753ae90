package dev.weir.benchmarks;

import java.util.Locale;

/**
 * A goal and what was measured.
 *
 * @param name the goal
 * @param measured the median of the rounds
 * @param target what it is to reach
 * @param isAtLeast whether more is better
 * @param unit what both are in; {@code x} for a ratio
 */
record Goal(String name, Measured measured, double target, boolean isAtLeast, String unit) {

  static Goal atLeast(String name, Measured measured, double target, String unit) {
    return new Goal(name, measured, target, true, unit);
  }

  static Goal atMost(String name, Measured measured, double target, String unit) {
    return new Goal(name, measured, target, false, unit);
  }

  boolean isMet() {
    return isAtLeast ? measured.median() >= target : measured.median() <= target;
  }

  /** The line that says so. */
  String line() {
    return String.format(
        Locale.ROOT,
        "goal %s %.2f%s %s%.2f%s %s",
        name,
        measured.median(),
        unit,
        isAtLeast ? ">=" : "<=",
        target,
        unit,
        isMet() ? "met" : "missed");
  }
}
