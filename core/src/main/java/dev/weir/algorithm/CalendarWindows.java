package dev.weir.algorithm;

import dev.weir.CalendarUnit;
import dev.weir.CalendarWindow;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import org.jspecify.annotations.Nullable;

/**
 * The windows of a calendar: every instant from 0 to 2^52 microseconds since the epoch is in
 * exactly one. Safe for use by several threads; pure, but that it remembers the latest window.
 *
 * <p>A day starts when the local clock first shows it, or what comes after it if the clock never
 * does: after a gap at midnight at the end of the gap, and where the clock goes back over midnight
 * at the first of the two.
 */
public final class CalendarWindows {

  private static final long SECOND_MICROS = 1_000_000;
  private static final long HOUR_SECONDS = 3_600;

  private final CalendarUnit unit;
  private final ZoneId zone;
  private final ZoneRules rules;
  private volatile @Nullable Window latest;

  /**
   * One window.
   *
   * @param startMicros its first instant, at least 0
   * @param endMicros the first instant of the next one
   */
  public record Window(long startMicros, long endMicros) {

    /** Whether an instant is in it. */
    public boolean holds(long micros) {
      return micros >= startMicros && micros < endMicros;
    }

    private static Window ofSeconds(long start, long end) {
      return new Window(Math.max(0, start) * SECOND_MICROS, end * SECOND_MICROS);
    }
  }

  /** The windows of a limit. */
  public CalendarWindows(CalendarWindow limit) {
    this.unit = limit.unit();
    this.zone = limit.zone();
    this.rules = zone.getRules();
  }

  /** The window that an instant is in, in microseconds since the epoch from 0 on. */
  public Window at(long micros) {
    Window known = latest;
    if (known != null && known.holds(micros)) {
      return known;
    }
    long seconds = micros / SECOND_MICROS;
    Window found = unit == CalendarUnit.HOUR ? hour(seconds) : days(seconds);
    latest = found;
    return found;
  }

  private Window hour(long seconds) {
    Instant instant = Instant.ofEpochSecond(seconds);
    long offset = rules.getOffset(instant).getTotalSeconds();
    long start = seconds - Math.floorMod(seconds + offset, HOUR_SECONDS);
    long end = start + HOUR_SECONDS;
    ZoneOffsetTransition before = rules.previousTransition(instant.plusNanos(1));
    ZoneOffsetTransition after = rules.nextTransition(instant);
    return Window.ofSeconds(
        before == null ? start : Math.max(start, before.toEpochSecond()),
        after == null ? end : Math.min(end, after.toEpochSecond()));
  }

  private Window days(long seconds) {
    LocalDate first = first(Instant.ofEpochSecond(seconds).atZone(zone).toLocalDate());
    LocalDate next = next(first);
    // The clock may show a day again after the next one has begun.
    while (seconds >= start(next)) {
      first = next;
      next = next(first);
    }
    return Window.ofSeconds(start(first), start(next));
  }

  private long start(LocalDate date) {
    return date.atStartOfDay(zone).toEpochSecond();
  }

  /** The first day of the window that a day is in. */
  private LocalDate first(LocalDate date) {
    return switch (unit) {
      case HOUR, DAY -> date;
      case WEEK -> date.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
      case WEEK_FROM_SUNDAY -> date.with(TemporalAdjusters.previousOrSame(DayOfWeek.SUNDAY));
      case MONTH -> date.withDayOfMonth(1);
      case YEAR -> date.withDayOfYear(1);
    };
  }

  /** The first day of the next window. */
  private LocalDate next(LocalDate first) {
    return switch (unit) {
      case HOUR, DAY -> first.plusDays(1);
      case WEEK, WEEK_FROM_SUNDAY -> first.plusWeeks(1);
      case MONTH -> first.plusMonths(1);
      case YEAR -> first.plusYears(1);
    };
  }
}
