package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FailureMode;
import dev.weir.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * B29 and promise 13 as a table: for each fault, operation, client and failure mode every call is
 * answered within its budget and by whom it should be, nothing is charged twice, and Redis is used
 * again without a restart.
 */
class FaultTableTest {

  private static final Duration BUDGET = Duration.ofMillis(100);
  // Where Redis is to answer and does, a machine that is late by itself must not count.
  private static final Duration LONG_BUDGET = Duration.ofSeconds(5);
  private static final long USED_BEFORE = 2;

  private static @Nullable Fault current;
  private static @Nullable FaultBench bench;

  static Stream<Arguments> cells() {
    return Stream.of(Fault.values())
        .flatMap(
            fault ->
                Stream.of("lettuce", "jedis")
                    .flatMap(
                        client ->
                            Stream.of(FaultCall.values())
                                .map(call -> Arguments.of(fault, client, call))));
  }

  /** One Redis serves all cells of a fault. */
  private static FaultBench bench(Fault fault) {
    FaultBench known = bench;
    if (known == null || fault != current) {
      stop();
      known = new FaultBench(fault.setup());
      bench = known;
      current = fault;
    }
    return known;
  }

  @AfterAll
  static void stop() {
    if (bench != null) {
      bench.close();
      bench = null;
    }
  }

  @ParameterizedTest
  @MethodSource("cells")
  void aFaultIsAnsweredInTimeAndPasses(Fault fault, String client, FaultCall call) {
    boolean answered = fault.answer(call) == Fault.Answer.DECIDED;
    Duration budget = answered ? LONG_BUDGET : BUDGET;
    FaultBench redis = bench(fault);
    try {
      List<RedisRateLimiter> limiters = redis.limiters(client, budget);
      for (RedisRateLimiter limiter : limiters) {
        FaultCall.warmUp(limiter, redis.key());
        FaultCall.chargeByRedis(limiter, redis.key(), USED_BEFORE);
      }
      List<FaultOutcome> outcomes = new ArrayList<>();
      fault.inject(redis);
      try {
        for (RedisRateLimiter limiter : limiters) {
          outcomes.add(call.ask(limiter, redis.key(), fault, budget));
        }
      } finally {
        fault.heal(redis);
      }
      for (int i = 0; i < limiters.size(); i++) {
        judge(fault, client, call, limiters.get(i), redis.key(), outcomes.get(i));
      }
    } finally {
      redis.closeLimiters();
    }
  }

  private static void judge(
      Fault fault,
      String client,
      FaultCall call,
      RedisRateLimiter limiter,
      String key,
      FaultOutcome outcome) {
    FailureMode mode = limiter.policy().failureMode();
    Duration recovery = FaultCall.awaitRedis(limiter, key);
    long used = FaultBench.LIMIT - FaultCall.remaining(limiter, key);
    long before = fault.losesState() ? 0 : USED_BEFORE;
    System.out.printf(
        Locale.ROOT,
        "fault: %-17s %-10s %-6s %-7s asked %d, in time %d, degraded %d, thrown %d, by Redis %d,"
            + " charged %d, recovered in %.3f s%n",
        fault,
        call.word(),
        mode.kind(),
        client,
        outcome.asked(),
        outcome.inTime(),
        outcome.degraded(),
        outcome.thrown(),
        outcome.byRedis(),
        Math.max(0, used - before),
        recovery.toNanos() / 1e9);
    assertThat(outcome.inTime()).as("in time").isEqualTo(outcome.asked());
    assertThat(outcome.wrongCauses()).as("causes other than %s", fault.causes()).isEmpty();
    switch (fault.answer(call)) {
      case DEGRADED -> judgeDegraded(call, mode, outcome, used, before);
      case THROWN -> judgeThrown(outcome, used);
      case DECIDED -> judgeDecided(fault, call, limiter, outcome, used, before);
      case EITHER -> judgeEither(call, outcome, used);
    }
  }

  private static void judgeDegraded(
      FaultCall call, FailureMode mode, FaultOutcome outcome, long used, long before) {
    if (call == FaultCall.RESET) {
      assertThat(outcome.thrown())
          .as("a reset that was not carried out")
          .isEqualTo(outcome.asked());
      assertThat(used).isIn(0L, before);
      return;
    }
    assertThat(outcome.degraded()).as("by the failure mode").isEqualTo(outcome.asked());
    assertThat(outcome.sources()).containsExactly(expected(mode));
    assertThat(outcome.allowed())
        .as("allowed")
        .isEqualTo(
            switch (mode.kind()) {
              case OPEN -> outcome.asked();
              case CLOSED -> 0;
              case LOCAL -> isRefusable(call) ? FaultBench.LIMIT / 2 : outcome.asked();
            });
    // At most the one call that was sent before the breaker opened.
    switch (call) {
      case ACQUIRE, RESERVE, CHARGE -> assertThat(used).as("used").isBetween(before, before + 1);
      case REFUND -> assertThat(used).as("used").isBetween(Math.max(0, before - 1), before);
      case PEEK, RESET -> assertThat(used).as("used").isEqualTo(before);
    }
  }

  private static boolean isRefusable(FaultCall call) {
    return call == FaultCall.ACQUIRE || call == FaultCall.RESERVE;
  }

  private static void judgeThrown(FaultOutcome outcome, long used) {
    assertThat(outcome.thrown()).as("thrown").isEqualTo(outcome.asked());
    assertThat(outcome.byRedis()).as("by Redis").isZero();
    assertThat(used).as("used").isEqualTo(USED_BEFORE);
  }

  private static void judgeDecided(
      Fault fault,
      FaultCall call,
      RedisRateLimiter limiter,
      FaultOutcome outcome,
      long used,
      long before) {
    assertThat(outcome.byRedis()).as("decided by Redis").isEqualTo(outcome.asked());
    assertThat(used)
        .as("used")
        .isEqualTo(
            switch (call) {
              case ACQUIRE, RESERVE, CHARGE -> FaultBench.LIMIT;
              case PEEK -> before;
              case REFUND, RESET -> 0;
            });
    if (isRefusable(call)) {
      assertThat(outcome.allowed()).as("allowed").isEqualTo(FaultBench.LIMIT - before);
    }
    assertThat(limiter.damagedStates() > 0)
        .as("state of others is counted")
        .isEqualTo(fault == Fault.FOREIGN_KEY && call != FaultCall.RESET);
  }

  private static void judgeEither(FaultCall call, FaultOutcome outcome, long used) {
    // What was charged before the restart is lost; what Redis allowed after it is charged, once.
    boolean charges = isRefusable(call) || call == FaultCall.CHARGE;
    long charged = charges ? Math.min(outcome.allowedByRedis(), FaultBench.LIMIT) : 0;
    assertThat(used).as("used").isBetween(charged, charged + (charges ? 1 : 0));
  }

  private static Source expected(FailureMode mode) {
    return switch (mode.kind()) {
      case OPEN -> Source.DEGRADED_OPEN;
      case CLOSED -> Source.DEGRADED_CLOSED;
      case LOCAL -> Source.DEGRADED_LOCAL;
    };
  }
}
