package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.FailureMode;
import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.Source;
import dev.weir.testkit.RedisServer;
import dev.weir.testkit.RedisVersion;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.JedisPool;

/**
 * Promise 13 as a table: for each fault, client and failure mode every decision comes within its
 * budget and says who made it, nothing is charged twice, and Redis is used again without a restart.
 */
class FaultTableTest {

  private static final int CALLS = 40;
  private static final long LIMIT = 10;
  private static final Duration BUDGET = Duration.ofMillis(100);
  // Two cores, shared with everything else that runs: a thread may be late by itself. Without a
  // breaker the calls of one cell would take 40 budgets, which is four seconds.
  private static final Duration SLACK = Duration.ofMillis(400);
  private static final long RECOVERY_NANOS = TimeUnit.SECONDS.toNanos(10);

  static Stream<Arguments> cells() {
    return Stream.of(Fault.values())
        .flatMap(
            fault ->
                Stream.of(FailureMode.open(), FailureMode.closed(), FailureMode.local(0.5))
                    .flatMap(
                        mode ->
                            Stream.of("lettuce", "jedis")
                                .map(client -> Arguments.of(fault, mode, client))));
  }

  @ParameterizedTest
  @MethodSource("cells")
  void aFaultIsAnsweredInTimeAndPasses(Fault fault, FailureMode mode, String clientName) {
    RateLimitPolicy policy =
        RateLimitPolicy.builder("api")
            .limit(FixedWindow.of(LIMIT, Duration.ofHours(1)))
            .failureMode(mode)
            .build();
    try (RedisServer redis = RedisServer.start(RedisVersion.usual())) {
      RedisClient client = RedisClient.create(redis.uri());
      try (JedisPool pool = new JedisPool(redis.host(), redis.port());
          RedisRateLimiter limiter =
              (clientName.equals("lettuce")
                      ? LettuceRateLimiter.builder(client, policy)
                      : JedisRateLimiter.builder(pool, policy))
                  .timeout(BUDGET)
                  .probeInterval(Duration.ofMillis(50))
                  .build()) {
        awaitRedis(limiter);
        run(fault, mode, clientName, redis, limiter);
      } finally {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
      }
    }
  }

  /** The first calls load classes and scripts, which takes longer than a budget. */
  private static long awaitRedis(RedisRateLimiter limiter) {
    long start = System.nanoTime();
    while (limiter.peek("warm").source() != Source.REDIS) {
      assertThat(System.nanoTime() - start).as("recovery").isLessThan(RECOVERY_NANOS);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    return System.nanoTime() - start;
  }

  private static void run(
      Fault fault, FailureMode mode, String client, RedisServer redis, RedisRateLimiter limiter) {
    assertThat(limiter.tryAcquire("u", 2).source()).isEqualTo(Source.REDIS);
    fault.inject(redis);
    long allowed = 0;
    long inTime = 0;
    long start = System.nanoTime();
    for (int i = 0; i < CALLS; i++) {
      long asked = System.nanoTime();
      Decision decision = limiter.tryAcquire("u");
      long took = System.nanoTime() - asked;
      inTime += took <= BUDGET.plus(SLACK).toNanos() ? 1 : 0;
      allowed += decision.allowed() ? 1 : 0;
      assertThat(decision.source()).as(decision.toString()).isEqualTo(expected(mode));
      assertThat(decision.failure().orElseThrow()).isIn(fault.causes());
    }
    long outage = System.nanoTime() - start;
    fault.heal(redis);
    long recovery = awaitRedis(limiter);
    long used = LIMIT - limiter.peek("u").remaining();
    System.out.printf(
        "fault: %-18s %-6s %-7s asked %d, in time %d, degraded %d, allowed %d, charged %d,"
            + " outage cost %d ms, recovered in %d ms%n",
        fault,
        mode.kind(),
        client,
        CALLS,
        inTime,
        CALLS,
        allowed,
        used,
        TimeUnit.NANOSECONDS.toMillis(outage),
        TimeUnit.NANOSECONDS.toMillis(recovery));
    assertThat(inTime).as("decisions in time").isEqualTo(CALLS);
    assertThat(outage).as("the budget is paid once").isLessThan(BUDGET.plus(SLACK).toNanos());
    // Before the fault 2, and at most the one call that was sent before the breaker opened.
    assertThat(used).as("charged").isLessThanOrEqualTo(3);
    assertThat(allowed)
        .isEqualTo(
            switch (mode.kind()) {
              case OPEN -> (long) CALLS;
              case CLOSED -> 0;
              case LOCAL -> LIMIT / 2;
            });
  }

  private static Source expected(FailureMode mode) {
    return switch (mode.kind()) {
      case OPEN -> Source.DEGRADED_OPEN;
      case CLOSED -> Source.DEGRADED_CLOSED;
      case LOCAL -> Source.DEGRADED_LOCAL;
    };
  }
}
