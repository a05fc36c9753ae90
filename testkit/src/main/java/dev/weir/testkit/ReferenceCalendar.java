package dev.weir.testkit;

import dev.weir.CalendarWindow;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;

/** What a calendar on the wall shows at a time: two times are in one window if it is the same. */
final class ReferenceCalendar {

  /** No window is longer: a leap year and some days. */
  static final long LONGEST = 370L * 86_400_000_000L;

  /** Days from Monday to 1970-01-01, a Thursday, and from Sunday. */
  private static final int MONDAY_TO_EPOCH = 3;

  private static final int SUNDAY_TO_EPOCH = 4;

  private ReferenceCalendar() {}

  /** A name for the window that a time is in. */
  static Object name(CalendarWindow limit, long micros) {
    Instant instant = Instant.ofEpochSecond(micros / 1_000_000);
    LocalDate date = latestDate(instant, limit.zone());
    return switch (limit.unit()) {
      case HOUR -> hour(instant, limit.zone());
      case DAY -> date;
      case WEEK -> Math.floorDiv(date.toEpochDay() + MONDAY_TO_EPOCH, 7L);
      case WEEK_FROM_SUNDAY -> Math.floorDiv(date.toEpochDay() + SUNDAY_TO_EPOCH, 7L);
      case MONTH -> YearMonth.from(date);
      case YEAR -> date.getYear();
    };
  }

  /** The latest date shown so far, which a clock that goes back over midnight leaves again. */
  private static LocalDate latestDate(Instant instant, ZoneId zone) {
    LocalDate shown = LocalDate.ofInstant(instant, zone);
    ZoneOffsetTransition change = zone.getRules().previousTransition(instant.plusNanos(1));
    if (change == null) {
      return shown;
    }
    LocalDate before = LocalDate.ofInstant(change.getInstant().minusNanos(1), zone);
    return before.isAfter(shown) ? before : shown;
  }

  /** The hour shown, and how often the clock was changed before. */
  private static Object hour(Instant instant, ZoneId zone) {
    LocalDateTime shown = LocalDateTime.ofInstant(instant, zone);
    ZoneOffsetTransition change = zone.getRules().previousTransition(instant.plusNanos(1));
    return shown.toLocalDate() + "T" + shown.getHour() + " after " + change;
  }
}
