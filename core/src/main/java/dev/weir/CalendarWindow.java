package dev.weir;

import java.time.Duration;
import java.time.ZoneId;
import java.util.Objects;

/**
 * At most {@code limit} permits in each hour, day, week, month or year of a time zone, the same for
 * every key: days of 23 and 25 hours, leap years and the rest are as the zone's rules have them.
 *
 * <p>A {@link FixedWindow} whose windows are those of a calendar. Two bursts around the end of one
 * can admit up to {@code 2 x limit} permits in a short time.
 *
 * <p>The rules of a zone are those of the Java runtime. Processes whose runtimes know different
 * rules each judge by their own.
 *
 * @param limit the most permits in one window, 1 to {@link Limit#MAX_PERMITS}
 * @param unit what a window is
 * @param zone whose calendar it is: a region such as {@code Europe/Berlin}, or an offset
 */
public record CalendarWindow(long limit, CalendarUnit unit, ZoneId zone) implements Limit {

  /** Checks the numbers. */
  public CalendarWindow {
    LimitNumbers.permits("limit", limit);
    Objects.requireNonNull(unit, "unit");
    Objects.requireNonNull(zone, "zone");
  }

  /** At most {@code limit} permits in each such window of the zone's calendar. */
  public static CalendarWindow of(long limit, CalendarUnit unit, ZoneId zone) {
    return new CalendarWindow(limit, unit, zone);
  }

  @Override
  public AlgorithmKind kind() {
    return AlgorithmKind.CALENDAR_WINDOW;
  }

  @Override
  public long capacity() {
    return limit;
  }

  /** The longest such window, with days of 24 hours: 31 days for a month, 366 for a year. */
  @Override
  public Duration quotaWindow() {
    return unit.longest();
  }
}
