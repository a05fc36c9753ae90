package dev.weir.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.CalendarUnit;
import dev.weir.CalendarWindow;
import dev.weir.algorithm.CalendarWindows.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Windows of calendars: every instant is in one, and the odd ones are where people expect them. */
class CalendarWindowsTest {

  private static final long LATEST = 1L << 52;

  private static CalendarWindows windows(CalendarUnit unit, String zone) {
    return new CalendarWindows(CalendarWindow.of(1, unit, ZoneId.of(zone)));
  }

  private static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }

  @ParameterizedTest
  @CsvSource({
    // a day of 23 hours, and one of 25
    "DAY,   Europe/Berlin,       2025-03-29T23:00:00Z, 2025-03-30T22:00:00Z, PT23H",
    "DAY,   Europe/Berlin,       2025-10-25T22:00:00Z, 2025-10-26T23:00:00Z, PT25H",
    "DAY,   America/New_York,    2025-03-09T05:00:00Z, 2025-03-10T04:00:00Z, PT23H",
    "DAY,   America/New_York,    2025-11-02T04:00:00Z, 2025-11-03T05:00:00Z, PT25H",
    // a gap at midnight: the day before and the day that starts at one o'clock
    "DAY,   America/Sao_Paulo,   2018-11-03T03:00:00Z, 2018-11-04T03:00:00Z, PT24H",
    "DAY,   America/Sao_Paulo,   2018-11-04T03:00:00Z, 2018-11-05T02:00:00Z, PT23H",
    // back from one o'clock to midnight, and from a minute past midnight to the day before
    "DAY,   America/Havana,      2024-11-03T04:00:00Z, 2024-11-04T05:00:00Z, PT25H",
    "DAY,   America/St_Johns,    2010-11-06T02:30:00Z, 2010-11-07T02:30:00Z, PT24H",
    "DAY,   America/St_Johns,    2010-11-07T02:30:00Z, 2010-11-08T03:30:00Z, PT25H",
    // a day that Samoa left out
    "DAY,   Pacific/Apia,        2011-12-29T10:00:00Z, 2011-12-30T10:00:00Z, PT24H",
    "DAY,   Pacific/Apia,        2011-12-30T10:00:00Z, 2011-12-31T10:00:00Z, PT24H",
    "WEEK,  Pacific/Apia,        2011-12-26T10:00:00Z, 2012-01-01T10:00:00Z, P6D",
    // offsets of half and three quarters of an hour
    "DAY,   Asia/Kolkata,        2025-06-14T18:30:00Z, 2025-06-15T18:30:00Z, PT24H",
    "DAY,   Asia/Kathmandu,      2025-06-14T18:15:00Z, 2025-06-15T18:15:00Z, PT24H",
    "HOUR,  Asia/Kolkata,        2025-06-14T18:30:00Z, 2025-06-14T19:30:00Z, PT1H",
    "HOUR,  Asia/Kathmandu,      2025-06-14T18:15:00Z, 2025-06-14T19:15:00Z, PT1H",
    "DAY,   +05:45,              2025-06-14T18:15:00Z, 2025-06-15T18:15:00Z, PT24H",
    // an hour that is shown twice, one that is left out, and two that are cut in halves
    "HOUR,  Europe/Berlin,       2025-10-26T00:00:00Z, 2025-10-26T01:00:00Z, PT1H",
    "HOUR,  Europe/Berlin,       2025-10-26T01:00:00Z, 2025-10-26T02:00:00Z, PT1H",
    "HOUR,  Europe/Berlin,       2025-03-30T01:00:00Z, 2025-03-30T02:00:00Z, PT1H",
    "HOUR,  Australia/Lord_Howe, 2025-04-05T14:00:00Z, 2025-04-05T15:00:00Z, PT1H",
    "HOUR,  Australia/Lord_Howe, 2025-04-05T15:00:00Z, 2025-04-05T15:30:00Z, PT30M",
    "HOUR,  Australia/Lord_Howe, 2025-10-04T15:30:00Z, 2025-10-04T16:00:00Z, PT30M",
    // leap years, of which 2100 is none
    "DAY,   UTC,                 2024-02-29T00:00:00Z, 2024-03-01T00:00:00Z, PT24H",
    "MONTH, UTC,                 2024-02-01T00:00:00Z, 2024-03-01T00:00:00Z, P29D",
    "MONTH, UTC,                 2023-02-01T00:00:00Z, 2023-03-01T00:00:00Z, P28D",
    "MONTH, UTC,                 2100-02-01T00:00:00Z, 2100-03-01T00:00:00Z, P28D",
    "YEAR,  UTC,                 2024-01-01T00:00:00Z, 2025-01-01T00:00:00Z, P366D",
    "YEAR,  UTC,                 2025-01-01T00:00:00Z, 2026-01-01T00:00:00Z, P365D",
    // months with a change of the clock in them
    "MONTH, Europe/Berlin,       2025-02-28T23:00:00Z, 2025-03-31T22:00:00Z, P30DT23H",
    "MONTH, Europe/Berlin,       2025-09-30T22:00:00Z, 2025-10-31T23:00:00Z, P31DT1H",
    "MONTH, Europe/Berlin,       2025-03-31T22:00:00Z, 2025-04-30T22:00:00Z, P30D",
    "YEAR,  Europe/Berlin,       2024-12-31T23:00:00Z, 2025-12-31T23:00:00Z, P365D",
    // weeks over new year and over a change of the clock
    "WEEK,  UTC,                 2024-12-30T00:00:00Z, 2025-01-06T00:00:00Z, P7D",
    "WEEK_FROM_SUNDAY, UTC,      2024-12-29T00:00:00Z, 2025-01-05T00:00:00Z, P7D",
    "WEEK,  Europe/Berlin,       2025-03-23T23:00:00Z, 2025-03-30T22:00:00Z, P6DT23H",
    "WEEK_FROM_SUNDAY, America/New_York, 2025-03-09T05:00:00Z, 2025-03-16T04:00:00Z, P6DT23H",
    // nothing starts before the epoch
    "YEAR,  America/New_York,    1970-01-01T00:00:00Z, 1970-01-01T05:00:00Z, PT5H",
  })
  void aWindowIsWhereItsCalendarHasIt(
      CalendarUnit unit, String zone, Instant start, Instant end, Duration length) {
    assertThat(Duration.between(start, end)).isEqualTo(length);
    Window window = new Window(micros(start), micros(end));
    long middle = (window.startMicros() + window.endMicros()) / 2;
    for (long at : new long[] {window.startMicros(), middle, window.endMicros() - 1}) {
      assertThat(windows(unit, zone).at(at)).isEqualTo(window);
    }
    assertThat(windows(unit, zone).at(window.endMicros()).startMicros())
        .isEqualTo(window.endMicros());
    if (window.startMicros() > 0) {
      assertThat(windows(unit, zone).at(window.startMicros() - 1).endMicros())
          .isEqualTo(window.startMicros());
    }
  }

  /** In every zone there is, around every kind of change its clocks have had. */
  @ParameterizedTest
  @EnumSource(CalendarUnit.class)
  void windowsMeetWithoutGapOrOverlapInEveryZone(CalendarUnit unit) {
    long seed = Long.getLong("weir.seed", System.nanoTime());
    Random random = new Random(seed);
    for (String zone : ZoneId.getAvailableZoneIds()) {
      CalendarWindows windows = windows(unit, zone);
      for (long micros : instants(ZoneId.of(zone), random)) {
        Window window = windows(unit, zone).at(micros);
        String what = "%s at %d in %s, seed %d".formatted(window, micros, zone, seed);
        assertThat(window.holds(micros)).as(what).isTrue();
        assertThat(windows.at(micros)).as(what).isEqualTo(window);
        assertThat(windows.at(window.startMicros())).as(what).isEqualTo(window);
        assertThat(windows.at(window.endMicros() - 1)).as(what).isEqualTo(window);
        assertThat(windows.at(window.endMicros()).startMicros())
            .as(what)
            .isEqualTo(window.endMicros());
        assertThat(window.endMicros() - window.startMicros())
            .as(what)
            .isLessThanOrEqualTo(micros(Instant.EPOCH.plus(unit.longest()).plusSeconds(86_400)));
      }
    }
  }

  private static List<Long> instants(ZoneId zone, Random random) {
    List<Long> instants = new ArrayList<>(List.of(0L, LATEST));
    for (int i = 0; i < 2; i++) {
      long any = (long) (random.nextDouble() * LATEST);
      instants.add(any);
      ZoneOffsetTransition change =
          zone.getRules().nextTransition(Instant.ofEpochSecond(any / 3_000_000));
      if (change != null) {
        long at = micros(change.getInstant());
        long near = (long) (random.nextGaussian() * 1e10);
        instants.addAll(List.of(at - 1, at, at + 1, Math.max(0, at + near)));
      }
    }
    return instants.stream().filter(at -> at >= 0 && at <= LATEST).toList();
  }

  @Test
  void theLatestWindowIsOnlyRemembered() {
    CalendarWindows windows = windows(CalendarUnit.DAY, "Europe/Berlin");
    Window day = windows.at(micros(Instant.parse("2025-03-30T12:00:00Z")));
    assertThat(windows.at(day.startMicros() - 1).endMicros()).isEqualTo(day.startMicros());
    assertThat(windows.at(day.endMicros()).startMicros()).isEqualTo(day.endMicros());
    assertThat(windows.at(day.startMicros())).isEqualTo(day);
  }
}
