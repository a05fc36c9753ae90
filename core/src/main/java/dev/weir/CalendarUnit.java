package dev.weir;

import java.time.Duration;

/** What a {@link CalendarWindow} goes by, as the calendar and the clock on the wall show it. */
public enum CalendarUnit {
  /**
   * From one full hour of the local clock to the next, or to an instant at which that clock is
   * changed. An hour that the clock shows twice is two windows.
   */
  HOUR(Duration.ofHours(1)),
  /** From midnight to midnight: 24 hours, or as many as a day has on which the clock is changed. */
  DAY(Duration.ofDays(1)),
  /** From Monday to Sunday, as ISO 8601 has it. */
  WEEK(Duration.ofDays(7)),
  /** From Sunday to Saturday. */
  WEEK_FROM_SUNDAY(Duration.ofDays(7)),
  /** From the first to the last day of a month: 28 to 31 days. */
  MONTH(Duration.ofDays(31)),
  /** From 1 January to 31 December: 365 or 366 days. */
  YEAR(Duration.ofDays(366));

  private final Duration longest;

  CalendarUnit(Duration longest) {
    this.longest = longest;
  }

  /** The longest that one is, with days of 24 hours. */
  public Duration longest() {
    return longest;
  }
}
