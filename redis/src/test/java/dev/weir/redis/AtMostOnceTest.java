package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.FailureCause;
import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.testkit.RedisConnection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** B02: a call is carried out at most once, whatever the client does with a lost connection. */
class AtMostOnceTest extends LiveRedis {

  private static final RateLimitPolicy POLICY =
      RateLimitPolicy.of("api", FixedWindow.of(10, Duration.ofHours(1)));

  private static long used() {
    try (RedisRateLimiter fresh = LettuceRateLimiter.create(connection, POLICY)) {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
      while (true) {
        Decision decision = fresh.peek("u");
        if (!decision.source().isDegraded()) {
          return 10 - decision.remaining();
        }
        assertThat(System.nanoTime()).as("Redis answers again").isLessThan(deadline);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      }
    }
  }

  @Test
  void aCallWhoseConnectionIsLostIsNotSentAgain() {
    try (RedisRateLimiter limiter =
            LettuceRateLimiter.builder(connection, POLICY).timeout(Duration.ofSeconds(8)).build();
        RedisConnection admin = new RedisConnection(server.host(), server.port())) {
      limiter.tryAcquire("u");
      Object id = admin.command("CLIENT", "ID");
      admin.command("CLIENT", "PAUSE", "700", "ALL");
      CompletableFuture<Decision> lost = limiter.tryAcquireAsync("u");
      // The killer's own connection is paused as well: its command and the call wait side by side,
      // and whichever Redis takes first, the call must not count twice.
      admin.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
      Decision decision = lost.join();
      if (decision.source().isDegraded()) {
        assertThat(decision.failure()).contains(FailureCause.CONNECTION);
      }
      assertThat(id).isNotNull();
      assertThat(used()).isBetween(1L, 2L);
    }
  }

  @Test
  void callsMadeWhileRedisIsAwayAreNotChargedWhenItComesBack() {
    try (RedisRateLimiter limiter = LettuceRateLimiter.create(connection, POLICY)) {
      limiter.peek("u");
      server.kill();
      for (int i = 0; i < 5; i++) {
        assertThat(limiter.tryAcquire("u").source().isDegraded()).isTrue();
      }
      server.restart();
      assertThat(used()).isZero();
    }
  }

  @Test
  void aCallThatTimedOutIsChargedOnceAtMost() {
    try (RedisRateLimiter limiter = LettuceRateLimiter.create(connection, POLICY)) {
      limiter.peek("u");
      server.command("CLIENT", "PAUSE", "500", "ALL");
      assertThat(limiter.tryAcquire("u").failure()).contains(FailureCause.TIMEOUT);
      assertThat(used()).isLessThanOrEqualTo(1);
    }
  }
}
