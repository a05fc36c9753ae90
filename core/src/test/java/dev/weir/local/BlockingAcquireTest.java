package dev.weir.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiterException;
import dev.weir.TokenBucket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** B56, B58: calls that block, by the machine's time. */
class BlockingAcquireTest {

  private static final Duration HOUR = Duration.ofHours(1);

  private final LocalRateLimiter limiter =
      LocalRateLimiter.create(
          RateLimitPolicy.of("p", TokenBucket.smooth(1, 1, Duration.ofMillis(40))));
  private final LocalRateLimiter hourly =
      LocalRateLimiter.create(RateLimitPolicy.of("p", FixedWindow.of(1, HOUR)));

  @Test
  void tenCallsTakeNineWaits() {
    long start = System.nanoTime();
    for (int i = 0; i < 10; i++) {
      assertThat(limiter.acquire("u", Duration.ofSeconds(20)).allowed()).isTrue();
    }
    assertThat(System.nanoTime() - start)
        .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(359));
  }

  @Test
  void aHopelessCallDoesNotSleep() {
    assertThat(hourly.acquire("u", HOUR).allowed()).isTrue();
    long start = System.nanoTime();
    Decision decision = hourly.acquire("u", Duration.ofMinutes(59));
    assertThat(decision.allowed()).isFalse();
    assertThat(hourly.acquire("u", 2, HOUR).retryAfter().isNever()).isTrue();
    assertThat(System.nanoTime() - start).isLessThan(TimeUnit.MINUTES.toNanos(1));
  }

  @Test
  void anInterruptedThreadIsNotChargedAndStaysInterrupted() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> hourly.acquire("u", HOUR))
        .isInstanceOf(RateLimiterException.class)
        .hasMessageContaining("nothing charged");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(hourly.tryAcquire("u").allowed()).isTrue();
  }

  @Test
  void anInterruptEndsTheWaitingAndThoseBehindMoveUp() throws InterruptedException {
    assertThat(hourly.tryAcquire("u").allowed()).isTrue();
    CountDownLatch started = new CountDownLatch(1);
    CompletableFuture<String> outcome = new CompletableFuture<>();
    Thread waiter =
        new Thread(
            () -> {
              started.countDown();
              try {
                outcome.complete(hourly.acquire("u", HOUR.multipliedBy(2)).toString());
              } catch (RateLimiterException e) {
                outcome.complete(e.getMessage() + ", " + Thread.currentThread().isInterrupted());
              }
            });
    waiter.start();
    started.await();
    waiter.interrupt();
    assertThat(outcome.join()).contains("nothing").contains("charged").endsWith(", true");
    CompletableFuture<Decision> behind = hourly.acquireAsync("u", 1, HOUR.multipliedBy(2));
    hourly.reset("u");
    assertThat(behind.join().allowed()).isTrue();
  }

  @Test
  void aRaisedLimitServesThoseWhoWait() {
    assertThat(hourly.tryAcquire("u").allowed()).isTrue();
    CompletableFuture<Decision> waits = hourly.acquireAsync("u", 1, HOUR.multipliedBy(2));
    assertThat(waits).isNotDone();
    hourly.changePolicy(RateLimitPolicy.of("p", FixedWindow.of(2, HOUR)));
    assertThat(waits.join().remaining()).isZero();
  }
}
