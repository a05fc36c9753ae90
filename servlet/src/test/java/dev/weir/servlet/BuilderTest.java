package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Concurrency;
import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.adaptive.AdaptivePolicy;
import dev.weir.local.LocalAdaptiveRateLimiter;
import dev.weir.local.LocalRateLimiter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What is wrong with a filter is said when it is made. */
class BuilderTest {

  private static RateLimiter limiter(Limit limit) {
    return LocalRateLimiter.create(RateLimitPolicy.of("api", limit));
  }

  private static Limit ten() {
    return FixedWindow.of(10, Duration.ofHours(1));
  }

  @Test
  void aFilterNeedsARule() {
    assertThatThrownBy(() -> RateLimitFilter.builder().build())
        .hasMessageContaining("RateLimitRule.of(limiter)");
  }

  @Test
  void b93TwoLimitersOfOnePolicyAreToldApartByItsName() {
    RateLimitFilter.Builder builder =
        RateLimitFilter.builder()
            .rule(RateLimitRule.of(limiter(ten())))
            .rule(RateLimitRule.of(limiter(ten())));
    assertThatThrownBy(builder::build).hasMessageContaining("'api'");
    RateLimiter one = limiter(ten());
    assertThat(
            RateLimitFilter.builder()
                .rule(RateLimitRule.builder(one).paths("/a").build())
                .rule(RateLimitRule.builder(one).sharedByAll().build())
                .build())
        .isNotNull();
  }

  @Test
  void b92AnAdaptiveLimiterCannotGiveBackWhatIsHeld() {
    RateLimitPolicy policy = RateLimitPolicy.of("held", Concurrency.of(1, Duration.ofMinutes(1)));
    LocalAdaptiveRateLimiter limiter =
        LocalAdaptiveRateLimiter.create(policy, AdaptivePolicy.standard());
    assertThatThrownBy(() -> RateLimitRule.builder(limiter)).hasMessageContaining("'held'");
  }

  @Test
  void boundsAreNamed() {
    assertThatThrownBy(() -> RateLimitFilter.builder().deadline(Duration.ZERO))
        .hasMessageContaining("1 ms")
        .hasMessageContaining("PT0S");
    assertThatThrownBy(() -> RateLimitRule.builder(limiter(ten())).paths("login"))
        .hasMessageContaining("'login'");
  }
}
