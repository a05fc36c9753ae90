package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.adaptive.AdaptivePolicy;
import dev.weir.adaptive.CallReader;
import dev.weir.adaptive.Explanation;
import dev.weir.adaptive.Outcome;
import dev.weir.adaptive.SubjectCall;
import dev.weir.adaptive.Tier;
import dev.weir.local.LocalAdaptiveRateLimiter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LocalAdaptiveRateLimiterTest {

  private static final AdaptivePolicy ENFORCE =
      AdaptivePolicy.builder().mode(AdaptivePolicy.Mode.ENFORCE).build();
  private static final CallReader READER = new CallReader(ENFORCE);

  private final LocalAdaptiveRateLimiter limiter =
      LocalAdaptiveRateLimiter.create(
          RateLimitPolicy.of("api", FixedWindow.of(20_000, Duration.ofHours(1))), ENFORCE);

  private static CallReader.Read read(String path) {
    return READER.read("GET", path, null, false, "agent", null, null, 1);
  }

  private static SubjectCall missing(int number) {
    Outcome outcome = read("/none/" + number + "x").outcome(404, false);
    return SubjectCall.of("s", read("/a").call()).after(List.of(outcome));
  }

  @Test
  void manyThreadsMakeOneBlock() {
    long calls =
        Threads.sum(
            64,
            thread -> {
              for (int i = 0; i < 5; i++) {
                limiter.decide(missing(thread * 5 + i));
              }
              return 5;
            });
    assertThat(calls).isEqualTo(320);
    Explanation why = limiter.explain("s");
    assertThat(why.tier()).isEqualTo(Tier.BLOCKED);
    assertThat(why.strikes()).isBetween(0.99, 1.0);
  }
}
