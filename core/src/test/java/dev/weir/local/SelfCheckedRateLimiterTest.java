package dev.weir.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.adaptive.AdaptivePolicy;
import dev.weir.adaptive.AdaptiveRateLimiter;
import dev.weir.adaptive.AdaptiveVerdict;
import dev.weir.adaptive.Call;
import dev.weir.adaptive.Outcome;
import dev.weir.adaptive.SelfCheck;
import dev.weir.adaptive.SubjectCall;
import dev.weir.adaptive.Tier;
import dev.weir.adaptive.Treatment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SelfCheckedRateLimiterTest {

  private static final RateLimitPolicy LIMITS =
      RateLimitPolicy.of("api", FixedWindow.of(1_000, Duration.ofHours(1)));
  private static final int PEOPLE = 300;

  private final AtomicLong now = new AtomicLong(1_760_000_000_000_000L);
  private final SelfCheck check = new SelfCheck();
  private final AdaptiveRateLimiter limiter =
      SelfCheckedRateLimiter.of(
          LocalAdaptiveRateLimiter.create(
              LIMITS,
              AdaptivePolicy.builder().mode(AdaptivePolicy.Mode.ENFORCE).build(),
              now::get,
              10_000),
          check,
          now::get);

  private static Call signedIn(int principal) {
    return new Call(1, 2, 3, 1, false, false, false, false, false, false, principal, 5);
  }

  private AdaptiveVerdict asks(int person) {
    return limiter.decide(SubjectCall.of("person-" + person, signedIn(person + 1)));
  }

  /** So many paths are missing for somebody that they are taken for a scanner. */
  private void misses(int person) {
    List<Outcome> missing =
        IntStream.range(0, 13)
            .mapToObj(path -> new Outcome(404, path, false, false, false, false))
            .toList();
    limiter.reportAsync("person-" + person, missing).join();
  }

  @Test
  void aLayerThatBlocksPeopleFallsBackToShadowUntilSomebodyClearsIt() {
    for (int person = 0; person < PEOPLE; person++) {
      assertThat(asks(person).allowed()).isTrue();
    }
    for (int person = 0; person < 10; person++) {
      misses(person);
      assertThat(asks(person).allowed()).as("blocked while all is well").isFalse();
    }
    now.addAndGet(60_000_000);
    asks(PEOPLE - 1);
    assertThat(check.reason().orElseThrow()).startsWith("10 of 300 signed-in subjects");
    misses(20);
    AdaptiveVerdict shadow = asks(20);
    assertThat(shadow.allowed()).isTrue();
    assertThat(shadow.tier()).as("told all the same").isEqualTo(Tier.BLOCKED);
    assertThat(shadow.enforced()).isFalse();
    Treatment pinned = new Treatment(Treatment.Kind.PINNED, Tier.BLOCKED, "by hand");
    SubjectCall byHand = SubjectCall.of("person-21", signedIn(22)).treatment(pinned);
    assertThat(limiter.decide(byHand).allowed()).as("what a person decided holds").isFalse();
    check.clear();
    assertThat(asks(20).allowed()).isFalse();
  }
}
