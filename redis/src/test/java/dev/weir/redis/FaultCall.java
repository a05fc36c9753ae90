package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.FailureCause;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterException;
import dev.weir.Source;
import dev.weir.testkit.Await;
import java.time.Duration;
import java.util.Locale;

/** The operations of a limiter as calls while Redis misbehaves. */
enum FaultCall {
  ACQUIRE,
  PEEK,
  CHARGE,
  RESERVE,
  REFUND,
  RESET;

  private static final int TIMES = 20;

  // Two cores, shared with everything else that runs: a thread may be late by itself. Without a
  // breaker the calls of one cell would take 20 budgets, which is two seconds.
  private static final Duration SLACK = Duration.ofMillis(400);
  private static final Duration RECOVERY = Duration.ofSeconds(10);
  private static final int WARM_UP = 20;
  private static final Duration LIFE = Duration.ofMinutes(1);

  String word() {
    return this == ACQUIRE ? "tryAcquire" : name().toLowerCase(Locale.ROOT);
  }

  /** Calls so often and notes the answers. */
  FaultOutcome ask(RateLimiter limiter, String key, Fault fault, Duration budget) {
    FaultOutcome outcome = new FaultOutcome(fault.causes());
    long first = System.nanoTime();
    for (int i = 0; i < TIMES; i++) {
      long start = System.nanoTime();
      try {
        outcome.add(call(limiter, key));
      } catch (RateLimiterException e) {
        outcome.add(e);
      }
      outcome.took(System.nanoTime() - start <= budget.plus(SLACK).toNanos());
    }
    if (fault.answer(this) == Fault.Answer.DEGRADED) {
      assertThat(Duration.ofNanos(System.nanoTime() - first))
          .as("the budget is paid once")
          .isLessThan(budget.plus(SLACK));
    }
    return outcome;
  }

  private Decision call(RateLimiter limiter, String key) {
    return switch (this) {
      case ACQUIRE -> limiter.tryAcquire(key);
      case PEEK -> limiter.peek(key);
      case CHARGE -> limiter.charge(key, 1);
      case RESERVE -> limiter.reserve(key, 1, LIFE).decision();
      case REFUND -> limiter.refund(key, 1);
      case RESET -> {
        limiter.reset(key);
        yield Decision.of(limiter.policy(), Source.REDIS, 1, 0, 0, 0, 0, 0);
      }
    };
  }

  /** The first calls load classes and scripts, which takes longer than a budget. */
  static void warmUp(RateLimiter limiter, String key) {
    for (int i = 0; i < WARM_UP; i++) {
      Duration unused = awaitRedis(limiter, key);
    }
  }

  /** Charges, by Redis: what fails to be in time here is not charged, or is undone. */
  static void chargeByRedis(RateLimiter limiter, String key, long permits) {
    Duration unused =
        Await.until(
            "a charge by Redis",
            RECOVERY,
            () -> {
              boolean charged = limiter.tryAcquire(key, permits).source() == Source.REDIS;
              if (!charged) {
                Duration unusedToo = awaitRedis(limiter, key);
                limiter.reset(key);
              }
              return charged;
            });
  }

  /** Looks until Redis answers; returns how long that took. */
  static Duration awaitRedis(RateLimiter limiter, String key) {
    return Await.until(
        "a decision of Redis",
        RECOVERY,
        () -> {
          try {
            return limiter.peek(key).source() == Source.REDIS;
          } catch (RateLimiterException notYet) {
            return false;
          }
        });
  }

  static long remaining(RateLimiter limiter, String key) {
    while (true) {
      Decision look = limiter.peek(key);
      if (look.source() == Source.REDIS) {
        return look.remaining();
      }
      Duration unused = awaitRedis(limiter, key);
    }
  }

  /** Whether a decision or exception gives one of these causes. */
  static boolean isOf(Iterable<FailureCause> causes, String text) {
    for (FailureCause cause : causes) {
      if (text.contains("(" + cause.word() + ")")) {
        return true;
      }
    }
    return false;
  }
}
