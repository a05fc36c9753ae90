package dev.weir.testkit;

import static dev.weir.testkit.DecisionAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.FailureCause;
import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterException;
import dev.weir.Reservation;
import dev.weir.local.LocalRateLimiter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the testkit has for tests of applications. */
@ExtendWith(RedisExtension.class)
class ForUsersTest {

  private static final RateLimitPolicy POLICY =
      RateLimitPolicy.builder("api")
          .limit("per-minute", FixedWindow.of(2, Duration.ofMinutes(1)))
          .build();

  @Test
  void aStubAnswersWhatItIsTold() {
    StubRateLimiter limiter = StubRateLimiter.of(POLICY);
    assertThat(limiter.tryAcquire("a", 1)).isAllowed().hasRemaining(1).isNotDegraded();
    limiter.refuse(Duration.ofMillis(1_500));
    assertThat(limiter.tryAcquire("a", 1))
        .isRefusedBy("per-minute")
        .retriesAfter(Duration.ofMillis(1_500));
    assertThat(limiter.refuseForEver().acquire("a", 3, Duration.ofDays(1))).neverRetries();
    limiter.fail(new RateLimiterException("gone", null));
    assertThatThrownBy(() -> limiter.peek("a")).hasMessage("gone");
    assertThat(limiter.hang().tryAcquireAsync("b")).isNotDone();
    assertThat(limiter.calls())
        .extracting(StubRateLimiter.Call::operation)
        .containsExactly("tryAcquire", "tryAcquire", "acquire", "peek", "tryAcquire");
    assertThat(limiter.allow().tryAcquire("a", 1)).isAllowed();
  }

  @Test
  void aStubKnowsWhatIsNotSettled() {
    StubRateLimiter limiter = StubRateLimiter.allowing();
    Reservation reservation = limiter.reserve("a", 3, Duration.ofSeconds(1));
    assertThat(limiter.openReservations()).isEqualTo(1);
    assertThat(limiter.settle(reservation, 2).found()).isTrue();
    assertThat(limiter.settle(reservation, 2).found()).isFalse();
    assertThat(limiter.openReservations()).isZero();
    limiter.refuse(Duration.ofSeconds(1));
    assertThat(limiter.reserve("a", 3, Duration.ofSeconds(1)).isHeld()).isFalse();
    assertThatThrownBy(() -> limiter.refuse(Duration.ZERO)).hasMessageContaining("PT0S");
    assertThatThrownBy(() -> limiter.tryAcquire("a", -1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void assertionsFailWithTheDecisionInTheMessage() {
    ManualClock clock = new ManualClock();
    RateLimiter limiter = LocalRateLimiter.builder(POLICY).timeSource(clock).build();
    assertThat(limiter.tryAcquire("a", 2)).isAllowed().hasRemaining(0);
    Decision refused = limiter.tryAcquire("a", 1);
    assertThat(refused).isRefused().retriesAfter(Duration.ofMinutes(1));
    assertThatThrownBy(() -> assertThat(refused).isAllowed())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("refused by per-minute");
    assertThatThrownBy(() -> assertThat(refused).isRefusedBy("other"))
        .hasMessageContaining("'other'");
    assertThatThrownBy(() -> assertThat(refused).hasRemaining(1)).hasMessageContaining("1");
    assertThatThrownBy(() -> assertThat(refused).neverRetries()).hasMessageContaining("PT1M");
    assertThatThrownBy(() -> assertThat(refused).isDegradedBy(FailureCause.TIMEOUT))
        .hasMessageContaining("timeout");
    clock.advance(Duration.ofMinutes(1));
    assertThatThrownBy(() -> assertThat(limiter.tryAcquire("a", 1)).isRefused())
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void aRedisIsThereAndEmpty(RedisServer redis) {
    assertThat(redis.command("DBSIZE")).isEqualTo(0L);
    redis.command("SET", "a", "b");
  }

  @Test
  void aRedisIsThereAndEmptyInTheNextTestToo(RedisServer redis) {
    aRedisIsThereAndEmpty(redis);
  }
}
