package dev.weir.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weir.CalendarUnit;
import dev.weir.CalendarWindow;
import dev.weir.Decision;
import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.Wait;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Windows of a calendar: named days, weeks, months and years, to the microsecond. */
abstract class CalendarPromises extends HarnessTest {

  private static final Duration DAY = Duration.ofDays(1);

  private static CalendarWindow calendar(long limit, CalendarUnit unit, String zone) {
    return CalendarWindow.of(limit, unit, ZoneId.of(zone));
  }

  private void at(Instant instant) {
    clock().set(ChronoUnit.MICROS.between(Instant.EPOCH, instant));
  }

  @ParameterizedTest
  @CsvSource({
    "DAY,   Europe/Berlin,       2025-03-29T23:00:00Z, 2025-03-30T22:00:00Z",
    "DAY,   Europe/Berlin,       2025-10-25T22:00:00Z, 2025-10-26T23:00:00Z",
    "DAY,   America/New_York,    2025-03-09T05:00:00Z, 2025-03-10T04:00:00Z",
    "DAY,   America/New_York,    2025-11-02T04:00:00Z, 2025-11-03T05:00:00Z",
    "DAY,   America/Sao_Paulo,   2018-11-04T03:00:00Z, 2018-11-05T02:00:00Z",
    "DAY,   America/St_Johns,    2010-11-07T02:30:00Z, 2010-11-08T03:30:00Z",
    "DAY,   Pacific/Apia,        2011-12-29T10:00:00Z, 2011-12-30T10:00:00Z",
    "DAY,   Asia/Kathmandu,      2025-06-14T18:15:00Z, 2025-06-15T18:15:00Z",
    "HOUR,  Asia/Kolkata,        2025-06-14T18:30:00Z, 2025-06-14T19:30:00Z",
    "HOUR,  Australia/Lord_Howe, 2025-04-05T15:00:00Z, 2025-04-05T15:30:00Z",
    "DAY,   UTC,                 2024-02-29T00:00:00Z, 2024-03-01T00:00:00Z",
    "MONTH, UTC,                 2023-02-01T00:00:00Z, 2023-03-01T00:00:00Z",
    "MONTH, Europe/Berlin,       2024-01-31T23:00:00Z, 2024-02-29T23:00:00Z",
    "MONTH, Europe/Berlin,       2025-09-30T22:00:00Z, 2025-10-31T23:00:00Z",
    "YEAR,  Europe/Berlin,       2023-12-31T23:00:00Z, 2024-12-31T23:00:00Z",
    "WEEK,  America/New_York,    2024-12-30T05:00:00Z, 2025-01-06T05:00:00Z",
    "WEEK_FROM_SUNDAY, UTC,      2024-12-29T00:00:00Z, 2025-01-05T00:00:00Z",
  })
  void aWindowStartsAndEndsAtItsInstantsExactly(
      CalendarUnit unit, String zone, Instant start, Instant end) {
    RateLimiter limiter = limiter(calendar(3, unit, zone));
    Duration length = Duration.between(start, end);
    Duration micro = Duration.of(1, ChronoUnit.MICROS);
    at(start.minus(micro));
    allowed(limiter.tryAcquire(KEY, 3));
    refused(limiter.tryAcquire(KEY), micro);
    at(start);
    assertEquals(2, allowed(limiter.tryAcquire(KEY)).remaining());
    at(start.plus(length.dividedBy(2)));
    assertEquals(0, allowed(limiter.tryAcquire(KEY, 2)).remaining());
    at(start);
    Decision full = refused(limiter.tryAcquire(KEY), length);
    assertEquals(length, full.resetAfter());
    assertEquals(length, full.limits().get(0).nextPermitAfter());
    at(end.minus(micro));
    refused(limiter.tryAcquire(KEY), micro);
    at(end);
    assertEquals(2, allowed(limiter.tryAcquire(KEY)).remaining());
  }

  @Test
  void aKeyLivesUntilItsWindowEndsAndNoLonger() {
    for (CalendarUnit unit : CalendarUnit.values()) {
      RateLimiter limiter = limiter(calendar(5, unit, "Europe/Berlin"));
      at(Instant.parse("2024-02-28T12:34:56.789012Z"));
      Duration reset = allowed(limiter.tryAcquire(unit.name())).resetAfter();
      OptionalLong lives = store().timeToLiveMicros(limiter.policy(), unit.name());
      if (store().hasExpiry()) {
        long micros = ManualClock.micros(reset);
        assertTrue(lives.getAsLong() >= micros, unit + " " + lives);
        assertTrue(lives.getAsLong() <= micros + store().expirySlackMicros(), unit + " " + lives);
      }
    }
  }

  @Test
  void twoBurstsAroundMidnightAdmitTwiceTheLimit() {
    RateLimiter limiter = limiter(calendar(100, CalendarUnit.DAY, "Europe/Berlin"));
    at(Instant.parse("2025-06-15T21:59:59.999999Z"));
    assertEquals(100, admitted(limiter, KEY, 150));
    at(Instant.parse("2025-06-15T22:00:00Z"));
    assertEquals(100, admitted(limiter, KEY, 150));
  }

  @Test
  void oneZonesMidnightIsNotAnothers() {
    RateLimiter limiter =
        limiter(
            calendar(5, CalendarUnit.DAY, "Asia/Tokyo"),
            calendar(5, CalendarUnit.DAY, "America/Los_Angeles"));
    at(Instant.parse("2025-06-15T14:59:59Z"));
    allowed(limiter.tryAcquire(KEY, 5));
    at(Instant.parse("2025-06-15T15:00:00Z"));
    Decision decision = refused(limiter.tryAcquire(KEY), Duration.ofHours(16));
    assertEquals(5, decision.limits().get(0).remaining());
    assertEquals(0, decision.limits().get(1).remaining());
  }

  @Test
  void aClockThatGoesBackIntoTheLastMonthGivesNoneOfIt() {
    RateLimiter limiter = limiter(calendar(5, CalendarUnit.MONTH, "UTC"));
    at(Instant.parse("2025-05-31T23:59:00Z"));
    allowed(limiter.tryAcquire(KEY, 1));
    at(Instant.parse("2025-06-01T00:01:00Z"));
    allowed(limiter.tryAcquire(KEY, 5));
    at(Instant.parse("2025-05-31T23:59:00Z"));
    refused(limiter.tryAcquire(KEY), Duration.ofDays(30).plusMinutes(1));
    assertEquals(
        Wait.ofMicros(ManualClock.micros(Duration.ofDays(31))),
        at(limiter, Instant.parse("2025-05-31T00:00:00Z")));
  }

  private Wait at(RateLimiter limiter, Instant instant) {
    at(instant);
    return refused(limiter.tryAcquire(KEY)).retryAfter();
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void promise10WhatWasUsedIsKeptToAndFromAnyOtherAlgorithm(Shape other) {
    Limit day = CalendarWindow.of(10, CalendarUnit.DAY, ZoneOffset.UTC);
    clock().advance(Duration.ofHours(1));
    RateLimiter limiter = limiter(day);
    allowed(limiter.tryAcquire(KEY, 4));
    limiter.changePolicy(policy(other.of(8, DAY)));
    assertEquals(3, allowed(limiter.tryAcquire(KEY)).remaining());
    limiter.changePolicy(policy(day));
    assertEquals(4, allowed(limiter.tryAcquire(KEY)).remaining());
    refused(limiter.tryAcquire(KEY, 5), Duration.ofHours(23));
  }

  @Test
  void promise10AnotherUnitOrZoneKeepsTheCountOfTheWindowThatTheLastChargeIsIn() {
    at(Instant.parse("2025-12-31T23:30:00Z"));
    RateLimiter limiter = limiter(calendar(10, CalendarUnit.YEAR, "UTC"));
    allowed(limiter.tryAcquire(KEY, 4));
    for (CalendarUnit unit : CalendarUnit.values()) {
      limiter.changePolicy(policy(calendar(10, unit, "Europe/Berlin")));
      assertEquals(6, limiter.peek(KEY).remaining(), unit.name());
    }
    limiter.changePolicy(policy(calendar(10, CalendarUnit.DAY, "Europe/Berlin")));
    refused(limiter.tryAcquire(KEY, 7), Duration.ofHours(23).plusMinutes(30));
    limiter.changePolicy(policy(calendar(10, CalendarUnit.DAY, "UTC")));
    refused(limiter.tryAcquire(KEY, 7), Duration.ofMinutes(30));
    clock().advance(Duration.ofMinutes(30));
    assertEquals(10, limiter.peek(KEY).remaining());
  }

  @Test
  void promise10AWindowOfTheFirstChargeKeepsTheStartOfTheCalendars() {
    RateLimiter limiter = limiter(calendar(10, CalendarUnit.DAY, "UTC"));
    clock().advance(Duration.ofHours(20));
    allowed(limiter.tryAcquire(KEY, 10));
    limiter.changePolicy(policy(FixedWindow.of(10, DAY)));
    refused(limiter.tryAcquire(KEY), Duration.ofHours(4));
  }
}
