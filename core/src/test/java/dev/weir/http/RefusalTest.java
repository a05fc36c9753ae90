package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.FailureCause;
import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.Source;
import dev.weir.adaptive.AdaptiveVerdict;
import dev.weir.adaptive.Tier;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Answers to those who may not go on. */
class RefusalTest {

  private static final RateLimitHeaders FORM = RateLimitHeaders.standard();
  private static final RateLimitPolicy POLICY =
      RateLimitPolicy.builder("api")
          .limit("minute", FixedWindow.of(2, Duration.ofMinutes(1)))
          .limit("hour", FixedWindow.of(20, Duration.ofHours(1)))
          .build();

  private static Decision decision(long minuteWait, long hourWait) {
    return Decision.of(
        POLICY, Source.MEMORY, 1, 0, minuteWait, 1, 1, 0, /* hour */ 0, hourWait, 1, 1, 0);
  }

  @Test
  void b37ARefusalNamesTheLimitsThatRefusedAndTheLongestWait() {
    Refusal refusal = Refusal.of(decision(5_000_000, 1_800_000_001), FORM, 100);
    assertThat(refusal.status()).isEqualTo(429);
    assertThat(refusal.body()).contains("\"violated-policies\":[\"minute\",\"hour\"]");
    assertThat(refusal.headers())
        .containsEntry("Retry-After", "1801")
        .containsEntry("Cache-Control", "no-store")
        .containsEntry("RateLimit", "\"hour\";r=0;t=1801");
    assertThat(Refusal.of(decision(0, 9), FORM, 100).body()).contains("[\"hour\"]");
  }

  @Test
  void b01TheWaitIsNeverLessThanItIsAndNeverZero() {
    for (long wait : new long[] {1, 40_000, 999_999, 1_000_000, 1_000_001, 3_233_300}) {
      long told =
          Long.parseLong(
              Refusal.of(decision(wait, 0), FORM, 100).headers().getOrDefault("Retry-After", ""));
      assertThat(told).isPositive().isEqualTo((wait + 999_999) / 1_000_000);
    }
    assertThat(Refusal.of(decision(-1, 0), FORM, 100).headers()).doesNotContainKey("Retry-After");
  }

  @Test
  void severalPoliciesAreToldApart() {
    Decision other =
        Decision.of(
            RateLimitPolicy.of("all", FixedWindow.of(9, Duration.ofSeconds(1))),
            Source.MEMORY,
            1,
            8,
            0,
            1,
            1,
            0);
    Refusal refusal = Refusal.of(List.of(other, decision(7, 0)), FORM, 100);
    assertThat(refusal.body()).contains("[\"api/minute\"]");
    assertThat(refusal.headers().get("RateLimit-Policy"))
        .isEqualTo(
            "\"all/fixed-window\";q=9;w=1, \"api/minute\";q=2;w=60, \"api/hour\";q=20;w=3600");
    assertThat(refusal.headers().get("RateLimit")).isEqualTo("\"api/minute\";r=0;t=1");
  }

  @Test
  void aStoreThatIsAwayIsNoFaultOfTheClient() {
    Decision closed = Decision.closed(POLICY, 1, FailureCause.TIMEOUT, Duration.ofMillis(250));
    Refusal refusal = Refusal.of(closed, FORM, 100);
    assertThat(refusal.status()).isEqualTo(503);
    assertThat(refusal.body()).contains("#temporary-reduced-capacity");
    assertThat(refusal.headers()).containsEntry("Retry-After", "1");
  }

  @Test
  void aTierSaysWhenAndNeverWhy() {
    Decision free = Decision.of(POLICY, Source.MEMORY, 1, 1, 0, 1, 1, 0, 9, 0, 1, 1, 0);
    AdaptiveVerdict verdict =
        new AdaptiveVerdict(false, Tier.BLOCKED, free, false, 61_000_001, true, false);
    Refusal refusal = Refusal.of(verdict, FORM, 100);
    assertThat(refusal.status()).isEqualTo(429);
    assertThat(refusal.body()).contains("#abnormal-usage-detected").doesNotContain("locked");
    assertThat(refusal.headers())
        .containsOnlyKeys("Retry-After", "Cache-Control")
        .containsEntry("Retry-After", "62");
    AdaptiveVerdict both =
        new AdaptiveVerdict(false, Tier.BLOCKED, decision(5, 0), false, 61_000_000, true, false);
    assertThat(Refusal.of(both, FORM, 100).headers()).containsEntry("Retry-After", "61");
  }

  @Test
  void bodiesAreJson() {
    for (Refusal refusal :
        List.of(
            Refusal.of(decision(1, 1), FORM, 1),
            Refusal.ofUnknownClient(),
            Refusal.ofUndecided())) {
      assertThat(refusal.body())
          .matches(
              "\\{\"type\":\"[^\"]+\",\"title\":\"[^\"]+\",\"status\":\\d{3}"
                  + "(,\"violated-policies\":\\[\"[^\"]+\"(,\"[^\"]+\")*])?}");
      assertThat(refusal.headers()).containsEntry("Cache-Control", "no-store");
    }
  }
}
