package dev.weir.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weir.Charge;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Promise 8: what is given back, what is reserved, and what is owed. */
abstract class RefundPromises extends HarnessTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);

  private static Charge charge(Decision decision) {
    return allowed(decision).charge().orElseThrow();
  }

  private static void requireFresh(RateLimiter limiter) {
    Decision look = limiter.peek(KEY);
    assertEquals(limiter.policy().limits().get(0).limit().capacity(), look.remaining());
    assertEquals(Duration.ZERO, look.resetAfter(), look::toString);
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void promise8WhatIsGivenBackAtOnceIsAsIfNeverCharged(Shape shape) {
    RateLimiter limiter = limiter(shape.of(10, HOUR));
    Charge charge = charge(limiter.tryAcquire(KEY, 7));
    assertEquals(7, charge.permits());
    allowed(limiter.refund(KEY, charge));
    requireFresh(limiter);
    assertEquals(10, admitted(limiter, KEY, 12));
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void promise8APartGivesBackThatPart(Shape shape) {
    RateLimiter limiter = limiter(shape.of(10, HOUR));
    Charge charge = charge(limiter.tryAcquire(KEY, 7));
    assertEquals(5, limiter.refund(KEY, charge.part(2)).remaining());
    assertThrows(IllegalArgumentException.class, () -> charge.part(8));
    assertThrows(IllegalArgumentException.class, () -> charge.part(0));
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void promise8AChargeThatHasExpiredGivesNothingBack(Shape shape) {
    RateLimiter limiter = limiter(shape.of(10, MINUTE));
    Decision first = limiter.tryAcquire(KEY, 10);
    clock().advance(ManualClock.micros(first.resetAfter()));
    allowed(limiter.tryAcquire(KEY, 6));
    Object before = store().storedState(limiter.policy(), KEY);
    assertEquals(4, limiter.refund(KEY, charge(first)).remaining());
    assertEquals(before, store().storedState(limiter.policy(), KEY), "nothing was written");
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void promise8MoreThanIsInUseGivesBackWhatIsInUse(Shape shape) {
    RateLimiter limiter = limiter(shape.of(10, HOUR));
    Object nothing = store().storedState(limiter.policy(), KEY);
    assertEquals(10, limiter.refund(KEY, 100).remaining());
    assertEquals(nothing, store().storedState(limiter.policy(), KEY), "no key was made");
    allowed(limiter.tryAcquire(KEY, 10));
    assertEquals(1, limiter.refund(KEY, 1).remaining());
    assertEquals(10, limiter.refund(KEY, Limit.MAX_PERMITS).remaining());
    requireFresh(limiter);
    assertThrows(IllegalArgumentException.class, () -> limiter.refund(KEY, -5));
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void promise8AReservationIsSettledOnce(Shape shape) {
    RateLimiter limiter = limiter(shape.of(10, HOUR));
    long held = shape == Shape.CONCURRENCY ? 0 : 3;
    Reservation reservation = limiter.reserve(KEY, 8, MINUTE);
    assertTrue(reservation.isHeld());
    assertEquals(2, limiter.peek(KEY).remaining());
    Settlement settled = limiter.settle(reservation, 3);
    assertEquals(List.of(true, 3L), List.of(settled.found(), settled.permits()));
    assertEquals(10 - held, settled.decision().remaining());
    for (Settlement again : List.of(limiter.settle(reservation, 3), limiter.cancel(reservation))) {
      assertEquals(List.of(false, 0L), List.of(again.found(), again.permits()));
      assertEquals(10 - held, again.decision().remaining());
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void promise8ACancelledReservationIsAsIfNeverMade(Shape shape) {
    RateLimiter limiter = limiter(shape.of(10, HOUR));
    Reservation reservation = limiter.reserve(KEY, 8, MINUTE);
    assertTrue(limiter.cancel(reservation).found());
    requireFresh(limiter);
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void promise8ARealCostAboveTheReservationIsChargedToo(Shape shape) {
    RateLimiter limiter = limiter(shape.of(10, HOUR));
    Reservation reservation = limiter.reserve(KEY, 4, MINUTE);
    Settlement settled = limiter.settle(reservation, 13);
    assertEquals(13, settled.permits());
    assertEquals(shape == Shape.CONCURRENCY ? 10 : 0, settled.decision().remaining());
    if (shape != Shape.CONCURRENCY) {
      refused(limiter.tryAcquire(KEY));
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void promise8AnUnsettledReservationStaysCharged(Shape shape) {
    RateLimiter limiter = limiter(shape.of(10, HOUR));
    Reservation reservation = limiter.reserve(KEY, 8, Duration.ofMillis(500));
    clock().advance(500_000);
    assertEquals(false, limiter.cancel(reservation).found());
    assertEquals(2, limiter.peek(KEY).remaining());
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void promise8AResetEndsReservations(Shape shape) {
    RateLimiter limiter = limiter(shape.of(10, HOUR));
    Reservation before = limiter.reserve(KEY, 8, MINUTE);
    limiter.reset(KEY);
    Reservation after = limiter.reserve(KEY, 5, MINUTE);
    assertEquals(false, limiter.cancel(before).found());
    assertEquals(false, limiter.cancel("another", after.id()).found());
    assertEquals(5, limiter.peek(KEY).remaining());
    assertTrue(limiter.cancel(after).found());
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void promise8ARefusedReservationReservesNothing(Shape shape) {
    RateLimiter limiter = limiter(shape.of(10, HOUR));
    Reservation first = limiter.reserve(KEY, 8, MINUTE);
    Reservation second = limiter.reserve(KEY, 3, MINUTE);
    assertEquals(false, second.isHeld());
    refused(second.decision());
    assertThrows(IllegalArgumentException.class, () -> limiter.settle(second, 1));
    limiter.cancel(first);
    requireFresh(limiter);
    assertThrows(IllegalArgumentException.class, () -> limiter.reserve(KEY, 0, MINUTE));
    assertThrows(IllegalArgumentException.class, () -> limiter.reserve(KEY, 1, Duration.ofDays(2)));
  }

  @Test
  void promise8OneSettlementForAllLimits() {
    RateLimiter limiter =
        limiter(
            Shape.SLIDING_WINDOW_LOG.of(10, Duration.ofSeconds(1)),
            Shape.FIXED_WINDOW_FIRST_CHARGE.of(1_000, HOUR),
            Shape.CONCURRENCY.of(3, MINUTE));
    List<Reservation> held = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      held.add(limiter.reserve(KEY, 1, MINUTE));
    }
    Decision fourth = refused(limiter.tryAcquire(KEY));
    assertEquals("concurrency", fourth.limitedBy().orElseThrow());
    Settlement done = limiter.settle(held.get(1), 5);
    assertEquals(
        List.of(3L, 993L, 1L),
        done.decision().limits().stream().map(status -> status.remaining()).toList());
  }

  @Test
  void promise8ADebtIsPaidBackBeforeAnythingIsAdmitted() {
    RateLimiter limiter = limiter(Shape.TOKEN_BUCKET_SMOOTH.of(10, seconds(10)));
    Decision charged = allowed(limiter.charge(KEY, 15));
    assertEquals(0, charged.remaining());
    assertEquals(seconds(15), charged.resetAfter());
    refused(limiter.tryAcquire(KEY), seconds(6));
    clock().advance(6_000_000);
    allowed(limiter.tryAcquire(KEY));
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void promise8WhatCannotBeKeptIsNotCharged(Shape shape) {
    RateLimiter limiter = limiter(shape.of(10, Duration.ofMillis(10)));
    allowed(limiter.charge(KEY, Limit.MAX_PERMITS));
    Decision tooMuch = refused(limiter.charge(KEY, 11));
    assertTrue(tooMuch.retryAfter().isNever());
    allowed(limiter.charge(KEY, 10));
    allowed(limiter.charge(KEY, 0));
    assertThrows(IllegalArgumentException.class, () -> limiter.charge(KEY, -1));
  }

  /**
   * A refund never leaves a key better off than if the call had never been made. Not for limits
   * that a first charge anchors: without it their periods would be others.
   */
  @ParameterizedTest
  @EnumSource(
      value = Shape.class,
      names = {"TOKEN_BUCKET_INTERVAL", "FIXED_WINDOW_FIRST_CHARGE"},
      mode = EnumSource.Mode.EXCLUDE)
  void promise8ARefundIsNeverAGain(Shape shape) {
    Random random = new Random(Seed.get());
    for (int run = 0; run < 40; run++) {
      Limit limit = shape.of(20, Duration.ofMillis(1_000L + random.nextInt(3_000)));
      RateLimiter limiter = limiter(limit);
      String with = "with-" + run;
      String without = "without-" + run;
      both(limiter, with, without, random, random.nextInt(4));
      Decision call = limiter.tryAcquire(with, 1L + random.nextInt(10));
      both(limiter, with, without, random, random.nextInt(6));
      call.charge().ifPresent(charge -> limiter.refund(with, charge));
      long left = limiter.peek(with).remaining();
      assertTrue(
          left <= limiter.peek(without).remaining(),
          () -> "seed %d, %s: %d left".formatted(Seed.get(), limit, left));
    }
  }

  /** Makes the same calls for both: those that the one with the additional call is admitted. */
  private void both(RateLimiter limiter, String with, String without, Random random, int calls) {
    for (int i = 0; i < calls; i++) {
      clock().advance(random.nextInt(700_000));
      long permits = 1L + random.nextInt(5);
      if (limiter.tryAcquire(with, permits).allowed()) {
        allowed(limiter.tryAcquire(without, permits));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b39ARefundAfterTheWindowRolledOverGivesNothing(Shape shape) {
    RateLimiter limiter = limiter(shape.of(5, seconds(10)));
    at(9.9);
    List<Charge> started = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      started.add(charge(limiter.tryAcquire(KEY)));
    }
    at(9.9 + 2 * 10);
    assertEquals(5, admitted(limiter, KEY, 5));
    started.forEach(charge -> limiter.refund(KEY, charge));
    assertEquals(0, admitted(limiter, KEY, 10));
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b41ARefundOfOneFreesOne(Shape shape) {
    RateLimiter limiter = limiter(shape.of(10, seconds(60)));
    allowed(limiter.tryAcquire(KEY, 10));
    refused(limiter.tryAcquire(KEY));
    limiter.refund(KEY, 1);
    allowed(limiter.tryAcquire(KEY));
    refused(limiter.tryAcquire(KEY));
    assertThrows(IllegalArgumentException.class, () -> limiter.tryAcquire(KEY, -5));
    assertEquals(0, limiter.tryAcquire(KEY, 0).remaining());
  }

  @Test
  void b92WhatACrashedOwnerHeldIsFreeAfterItsLease() {
    RateLimiter limiter = limiter(Shape.CONCURRENCY.of(20, MINUTE));
    for (int i = 0; i < 20; i++) {
      assertTrue(limiter.reserve(KEY, 1, HOUR).isHeld());
      clock().advance(1_000_000);
    }
    Decision locked = refused(limiter.tryAcquire(KEY), seconds(40));
    clock().advance(locked.retryAfter().toMicros());
    assertEquals(1, admitted(limiter, KEY, 2));
  }
}
