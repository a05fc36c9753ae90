package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.CalendarUnit;
import dev.weir.CalendarWindow;
import dev.weir.Charge;
import dev.weir.Concurrency;
import dev.weir.FailureMode;
import dev.weir.FixedWindow;
import dev.weir.JointDecision;
import dev.weir.JointLimiter;
import dev.weir.JointPart;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiterException;
import dev.weir.Reservation;
import dev.weir.Settlement;
import dev.weir.SlidingWindowLog;
import dev.weir.Source;
import dev.weir.TokenBucket;
import dev.weir.testkit.Await;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What refunds, reservations, debts and joint calls are on a real Redis: trips, keys, expiry. */
class OperationsTest extends LiveRedis {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  static List<Limit> limits() {
    return List.of(
        TokenBucket.smooth(10, 10, HOUR),
        TokenBucket.interval(10, 10, HOUR),
        FixedWindow.of(10, HOUR),
        CalendarWindow.of(10, CalendarUnit.YEAR, ZoneOffset.UTC),
        SlidingWindowLog.of(10, HOUR),
        Concurrency.of(10, HOUR));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void eachOperationIsOneScriptAndIsCarriedOutOnceByANodeThatForgotIt(Limit limit) {
    RedisRateLimiter limiter = limiter(limit);
    for (int round = 0; round < 2; round++) {
      Charge charge = limiter.tryAcquire("u", 4).charge().orElseThrow();
      flushed(limiter, () -> limiter.refund("u", charge.part(2)), 8);
      flushed(limiter, () -> limiter.charge("u", 3), 5);
      flushed(limiter, () -> limiter.refund("u", 1), 6);
      Reservation reservation = limiter.reserve("u", 5, MINUTE);
      assertThat(limiter.peek("u").remaining()).isEqualTo(1);
      flushed(limiter, () -> limiter.cancel(reservation), 6);
      limiter.reset("u");
    }
  }

  private static void flushed(RedisRateLimiter limiter, Runnable call, long remaining) {
    for (long evals : new long[] {1, 0}) {
      if (evals == 1) {
        server.command("SCRIPT", "FLUSH");
        server.command("CONFIG", "RESETSTAT");
        call.run();
        assertThat(calls("evalsha")).isEqualTo(1);
        assertThat(calls("eval")).isEqualTo(evals);
      }
    }
    assertThat(limiter.peek("u").remaining()).isEqualTo(remaining);
  }

  @ParameterizedTest
  @MethodSource("limits")
  void b74AResetLeavesNoKeyOfReservationsEither(Limit limit) {
    RedisRateLimiter limiter = limiter(limit);
    for (int i = 0; i < 3; i++) {
      assertThat(limiter.reserve("u", 1, MINUTE).isHeld()).isTrue();
    }
    assertThat(keys()).hasSize(2).allMatch(key -> expiryMillis(key) > 0);
    limiter.reset("u");
    assertThat(keys()).isEmpty();
  }

  @Test
  void reservationsExpireAndTheirKeyWithThem() {
    RedisRateLimiter limiter = limiter(TokenBucket.smooth(10, 10, HOUR));
    Reservation shorter = limiter.reserve("u", 1, Duration.ofMillis(1));
    Reservation longer = limiter.reserve("u", 1, MINUTE);
    assertThat(expiryMillis("weir:{api:u}:reservations")).isBetween(50_000L, 60_002L);
    while (limiter.settle(shorter, 0).found()) {
      throw new AssertionError("settled after its end");
    }
    assertThat(limiter.settle(longer, 0).found()).isTrue();
    assertThat(limiter.peek("u").remaining()).isEqualTo(9);
    assertThat(server.command("HLEN", "weir:{api:u}:reservations")).isEqualTo(2L);
  }

  /** B65: of a key and its reservations Redis may evict either. */
  @ParameterizedTest
  @MethodSource("limits")
  void b65WhicheverHalfIsEvictedNothingIsGivenAway(Limit limit) {
    RedisRateLimiter limiter = limiter(limit);
    Reservation before = limiter.reserve("u", 8, MINUTE);
    server.command("DEL", "weir:{api:u}:reservations");
    assertThat(limiter.cancel(before).found()).isFalse();
    assertThat(limiter.peek("u").remaining()).as("it stays charged").isEqualTo(2);
    limiter.reset("u");
    Reservation after = limiter.reserve("u", 8, MINUTE);
    server.command("DEL", "weir:{api:u}");
    limiter.cancel(after);
    assertThat(limiter.peek("u").remaining()).as("a fresh limit, and not more").isEqualTo(10);
    limiter.tryAcquire("u", 10);
    limiter.cancel(after);
    assertThat(limiter.peek("u").remaining()).isZero();
  }

  @Test
  void aForeignKeyWhereReservationsBelongIsTakenAsNone() {
    RedisRateLimiter limiter = limiter(FixedWindow.of(10, HOUR));
    server.command("SET", "weir:{api:u}:reservations", "not ours");
    assertThat(limiter.settle("u", "r0-0", 1).found()).isFalse();
    Reservation made = limiter.reserve("u", 4, MINUTE);
    assertThat(limiter.settle(made, 1).found()).isTrue();
    server.command("HSET", "weir:{api:u}:reservations", "0", "damaged");
    assertThat(limiter.settle("u", "r0-0", 1).found()).isFalse();
    assertThat(limiter.peek("u").remaining()).isEqualTo(9);
  }

  @Test
  void aJointCallIsOneScript() {
    RedisRateLimiter user = limiter(RateLimitPolicy.of("user", TokenBucket.smooth(5, 1, HOUR)));
    RedisRateLimiter day =
        limiter(
            RateLimitPolicy.of(
                "day", CalendarWindow.of(5, CalendarUnit.DAY, ZoneOffset.ofHours(5))));
    RedisRateLimiter log = limiter(RateLimitPolicy.of("log", SlidingWindowLog.of(3, HOUR)));
    List<JointPart> parts =
        List.of(JointPart.of(user, "u"), JointPart.of(day, "t"), JointPart.of(log, "all"));
    assertThat(JointLimiter.tryAcquireAsync(parts).join().allowed()).isTrue();
    server.command("CONFIG", "RESETSTAT");
    for (int i = 0; i < 2; i++) {
      assertThat(JointLimiter.tryAcquireAsync(parts).join().allowed()).isTrue();
    }
    JointDecision refused = JointLimiter.tryAcquireAsync(parts).join();
    assertThat(refused.limitedBy()).hasValue("log/sliding-window-log");
    assertThat(calls("evalsha")).isEqualTo(3);
    assertThat(calls("eval")).isZero();
    assertThat(user.peek("u").remaining()).isEqualTo(2);
    assertThat(day.peek("t").remaining()).isEqualTo(2);
  }

  @Test
  void twoLimitersOfOneStateAreAnError() {
    RedisRateLimiter one = limiter(FixedWindow.of(5, HOUR));
    RedisRateLimiter same = limiter(FixedWindow.of(5, HOUR));
    org.assertj.core.api.Assertions.assertThatIllegalArgumentException()
        .isThrownBy(() -> JointLimiter.tryAcquire(JointPart.of(one, "u"), JointPart.of(same, "u")))
        .withMessageContaining("share one state");
  }

  @Test
  void aJointCallFollowsTheFailureModesAndChargesAllOrNoneInThisProcessToo() {
    RedisRateLimiter user = local("user", 1);
    RedisRateLimiter all = local("all", 10);
    List<JointPart> parts = List.of(JointPart.of(all, "all"), JointPart.of(user, "u"));
    server.command("CONFIG", "SET", "maxmemory", "1");
    try {
      JointDecision first = JointLimiter.tryAcquireAsync(parts).join();
      assertThat(first.allowed()).isTrue();
      assertThat(first.decisions()).allMatch(it -> it.source() == Source.DEGRADED_LOCAL);
      for (int i = 0; i < 20; i++) {
        assertThat(JointLimiter.tryAcquireAsync(parts).join().allowed()).isFalse();
      }
      assertThat(all.peek("all").remaining()).isEqualTo(9);
    } finally {
      server.command("CONFIG", "SET", "maxmemory", "0");
    }
  }

  /** What a timed-out settlement has done is not known; it is done at most once all the same. */
  @Test
  void aSettlementThatTimedOutIsCarriedOutAtMostOnce() {
    RedisRateLimiter limiter =
        LettuceRateLimiter.builder(
                connection, RateLimitPolicy.of("api", TokenBucket.smooth(10, 1, HOUR)))
            .timeout(Duration.ofMillis(300))
            .probeInterval(Duration.ofMillis(20))
            .build();
    Duration unused = Await.until("Redis", MINUTE, () -> isByRedis(limiter));
    Reservation reservation = limiter.reserve("u", 8, MINUTE);
    server.pause();
    try {
      Settlement lost = limiter.settle(reservation, 3);
      assertThat(lost.found()).isFalse();
      assertThat(lost.decision().source().isDegraded()).isTrue();
    } finally {
      server.resume();
    }
    unused = Await.until("Redis", MINUTE, () -> isByRedis(limiter));
    Settlement again = limiter.settle(reservation, 3);
    assertThat(again.decision().remaining()).isEqualTo(7);
    assertThat(limiter.settle(reservation, 0).found()).isFalse();
    assertThat(limiter.peek("u").remaining()).isEqualTo(7);
  }

  private static boolean isByRedis(RedisRateLimiter limiter) {
    return limiter.peek("warm").source() == Source.REDIS;
  }

  /** A reset that could not be sent in time is not carried out later. */
  @Test
  void aResetWhileRedisIsGivenUpFailsAtOnce() {
    RedisRateLimiter limiter =
        LettuceRateLimiter.builder(connection, RateLimitPolicy.of("api", FixedWindow.of(9, HOUR)))
            .timeout(Duration.ofMillis(300))
            .probeInterval(MINUTE)
            .build();
    Duration unused = Await.until("Redis", MINUTE, () -> isByRedis(limiter));
    limiter.tryAcquire("u", 4);
    server.pause();
    try {
      assertThat(limiter.peek("u").source().isDegraded()).isTrue();
      long start = System.nanoTime();
      for (int i = 0; i < 1_000; i++) {
        assertThatThrownBy(() -> limiter.reset("u"))
            .isInstanceOf(RateLimiterException.class)
            .hasMessageContaining("(timeout)");
      }
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
    } finally {
      server.resume();
    }
    assertThat(limiter(FixedWindow.of(9, HOUR)).peek("u").remaining()).isEqualTo(5);
  }

  private static RedisRateLimiter local(String name, long permits) {
    return LettuceRateLimiter.builder(
            connection,
            RateLimitPolicy.builder(name)
                .limit(FixedWindow.of(permits, HOUR))
                .failureMode(FailureMode.local())
                .build())
        .timeout(Duration.ofSeconds(10))
        .probeInterval(MINUTE)
        .build();
  }
}
