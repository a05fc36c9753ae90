package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.FailureMode;
import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiterException;
import dev.weir.TokenBucket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Waiting calls on Redis' own clock. */
class WaitingTest extends LiveRedis {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  @Test
  void callersAreServedInTurnAndChargedOnceEach() {
    try (RedisRateLimiter limiter =
        limiter(FixedWindow.of(100, HOUR), TokenBucket.smooth(1, 1, Duration.ofMillis(20)))) {
      long start = System.nanoTime();
      List<CompletableFuture<Decision>> calls =
          IntStream.range(0, 10).mapToObj(i -> limiter.acquireAsync("u", 1, TIMEOUT)).toList();
      for (int i = 0; i < 10; i++) {
        Decision decision = calls.get(i).join();
        assertThat(decision.allowed()).isTrue();
        assertThat(decision.limits().get(0).remaining()).as("call %d", i).isEqualTo(99 - i);
      }
      assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(179_000_000L);
      assertThat(limiter.peek("u").limits().get(0).remaining()).isEqualTo(90);
    }
  }

  @Test
  void redisIsAskedOnceForEachWait() {
    try (RedisRateLimiter limiter = limiter(TokenBucket.smooth(1, 1, Duration.ofMillis(200)))) {
      limiter.tryAcquire("u");
      server.command("CONFIG", "RESETSTAT");
      assertThat(limiter.acquire("u", TIMEOUT).allowed()).isTrue();
      // Refused and admitted; once more at most, if the two clocks part by a microsecond.
      assertThat(calls("evalsha")).isBetween(2L, 3L);
      server.command("CONFIG", "RESETSTAT");
      assertThat(limiter.acquire("u", Duration.ofMillis(20)).allowed()).isFalse();
      assertThat(calls("evalsha")).isEqualTo(1);
    }
  }

  @Test
  void aThousandCancelledCallsLeaveNothing() {
    try (RedisRateLimiter limiter = limiter(FixedWindow.of(1, HOUR))) {
      limiter.tryAcquire("u");
      List<CompletableFuture<Decision>> calls = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        calls.add(limiter.acquireAsync("u", 1, HOUR.multipliedBy(10_000)));
      }
      // The first may be under way to Redis, where it is refused, and then is cancelled too.
      calls.forEach(call -> call.cancel(true));
      calls.forEach(call -> assertThatThrownBy(call::join).isNotNull());
      assertThat(calls).allMatch(CompletableFuture::isCancelled);
      limiter.reset("u");
      assertThat(limiter.tryAcquire("u").allowed()).isTrue();
    }
  }

  @Test
  void aCallWaitsThroughAnOutageThatIsRefusedMeanwhile() {
    RateLimitPolicy policy =
        RateLimitPolicy.builder("api")
            .limit(FixedWindow.of(5, HOUR))
            .failureMode(FailureMode.closed())
            .build();
    try (RedisRateLimiter limiter = LettuceRateLimiter.create(connection, policy)) {
      limiter.peek("u");
      server.kill();
      assertThat(limiter.acquire("u", Duration.ofMillis(10)).allowed()).isFalse();
      CompletableFuture<Decision> call = limiter.acquireAsync("u", 1, TIMEOUT);
      assertThat(call).isNotDone();
      server.restart();
      Decision decision = call.join();
      assertThat(decision.allowed()).isTrue();
      assertThat(decision.source().isDegraded()).isFalse();
    }
  }

  @Test
  void aClosedLimiterLetsNobodyWait() {
    RedisRateLimiter limiter = limiter(FixedWindow.of(1, HOUR));
    limiter.tryAcquire("u");
    CompletableFuture<Decision> call = limiter.acquireAsync("u", 1, HOUR.multipliedBy(2));
    CompletableFuture<Decision> behind = limiter.acquireAsync("u", 1, HOUR.multipliedBy(2));
    limiter.close();
    assertThatThrownBy(behind::join).hasCauseInstanceOf(RateLimiterException.class);
    assertThatThrownBy(call::join).hasCauseInstanceOf(RateLimiterException.class);
  }
}
