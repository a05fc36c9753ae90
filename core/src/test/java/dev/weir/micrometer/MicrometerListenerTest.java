package dev.weir.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.FailureCause;
import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiterListener;
import dev.weir.local.LocalRateLimiter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is counted, under which names, and that there are never more series than that. */
class MicrometerListenerTest {

  private static final int KEYS = 100_000;

  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final MicrometerListener listener = new MicrometerListener(registry);

  private static RateLimitPolicy policy(String name) {
    return RateLimitPolicy.of(name, FixedWindow.of(1, Duration.ofHours(1)));
  }

  private double count(String name, String... tags) {
    return registry.get(name).tags(tags).counter().count();
  }

  private double open(String shard) {
    return registry.get("weir.breaker.open").tag("shard", shard).gauge().value();
  }

  @Test
  void b84SeriesAreBoundedByPoliciesAndOutcomesWhateverTheKeys() {
    for (String name : List.of("api", "login")) {
      LocalRateLimiter limiter = LocalRateLimiter.builder(policy(name)).listener(listener).build();
      for (int i = 0; i < KEYS; i++) {
        // Two for each key, of which the second is refused.
        assertThat(limiter.tryAcquire("key-" + i).allowed()).isTrue();
        assertThat(limiter.tryAcquire("key-" + i).allowed()).isFalse();
      }
      assertThat(count("weir.decisions", "policy", name, "outcome", "allowed")).isEqualTo(KEYS);
      assertThat(count("weir.decisions", "policy", name, "outcome", "refused")).isEqualTo(KEYS);
      assertThat(registry.get("weir.decision.duration").tag("policy", name).timer().count())
          .isEqualTo(2 * KEYS);
    }
    assertThat(registry.find("weir.decisions").meters()).hasSize(2 * 2);
    assertThat(registry.getMeters()).hasSize(2 * 2 + 2);
    assertThat(registry.getMeters())
        .extracting(Meter::getId)
        .flatExtracting(Meter.Id::getTags)
        .extracting(Tag::getValue)
        .containsOnly("api", "login", "allowed", "refused", "memory");
  }

  @Test
  void aDecisionOfTheFailureModeIsCountedByItsCauseAndSource() {
    Decision open = Decision.open(policy("api"), 1, FailureCause.TIMEOUT);
    Decision closed =
        Decision.closed(policy("api"), 1, FailureCause.READONLY, Duration.ofMillis(250));
    listener.decided(open, 100_000_000);
    listener.decided(open, 1_000);
    listener.decided(closed, 2_000);
    assertThat(count("weir.degraded", "policy", "api", "cause", "timeout")).isEqualTo(2);
    assertThat(count("weir.degraded", "policy", "api", "cause", "readonly")).isEqualTo(1);
    assertThat(count("weir.decisions", "outcome", "allowed", "source", "degraded-open"))
        .isEqualTo(2);
    assertThat(count("weir.decisions", "outcome", "refused", "source", "degraded-closed"))
        .isEqualTo(1);
    assertThat(
            registry
                .get("weir.decision.duration")
                .tags("policy", "api", "source", "degraded-open")
                .timer()
                .totalTime(TimeUnit.NANOSECONDS))
        .isEqualTo(100_001_000);
  }

  @Test
  void mistakesAreCountedApartFromFailuresThatPass() {
    for (FailureCause cause : FailureCause.values()) {
      listener.failed("api", cause);
      listener.failed("api", cause);
      String counted = cause.isTransient() ? "weir.failures" : "weir.mistakes";
      String other = cause.isTransient() ? "weir.mistakes" : "weir.failures";
      assertThat(count(counted, "policy", "api", "cause", cause.word())).isEqualTo(2);
      assertThat(registry.find(other).tag("cause", cause.word()).counters()).isEmpty();
    }
  }

  @Test
  void aShardIsOpenAsLongAsAnyConnectionHasGivenItUp() {
    listener.breakerChanged("node-1", true, FailureCause.TIMEOUT);
    listener.breakerChanged("node-2", true, FailureCause.CONNECTION);
    listener.breakerChanged("node-1", true, FailureCause.TIMEOUT);
    listener.breakerChanged("node-1", false, FailureCause.TIMEOUT);
    assertThat(open("node-1")).isEqualTo(1);
    assertThat(open("node-2")).isEqualTo(1);
    listener.breakerChanged("node-1", false, FailureCause.TIMEOUT);
    assertThat(open("node-1")).isZero();
  }

  @Test
  void scriptsLoadedAndStatesRepairedAreCountedByPolicy() {
    listener.scriptLoaded("api");
    listener.scriptLoaded("api");
    listener.stateRepaired("login");
    assertThat(count("weir.scripts.loaded", "policy", "api")).isEqualTo(2);
    assertThat(count("weir.states.repaired", "policy", "login")).isEqualTo(1);
  }

  @Test
  void namesAreInMicrometersConvention() {
    listener.decided(Decision.open(policy("api"), 1, FailureCause.TIMEOUT), 1);
    listener.failed("api", FailureCause.TIMEOUT);
    listener.failed("api", FailureCause.NO_PERMISSION);
    listener.breakerChanged("redis", true, FailureCause.TIMEOUT);
    listener.scriptLoaded("api");
    listener.stateRepaired("api");
    assertThat(registry.getMeters())
        .allSatisfy(
            meter -> {
              assertThat(meter.getId().getName()).matches("weir(\\.[a-z]+)+");
              assertThat(meter.getId().getDescription()).isNotBlank();
              assertThat(meter.getId().getTags())
                  .extracting(Tag::getKey)
                  .allMatch(key -> key.matches("[a-z]+"));
            });
  }

  @Test
  void aListenerThatFailsDoesNotHarmTheDecision() {
    RateLimiterListener failing =
        new RateLimiterListener() {
          @Override
          public void decided(Decision decision, long nanos) {
            throw new IllegalStateException("on purpose");
          }
        };
    LocalRateLimiter limiter = LocalRateLimiter.builder(policy("api")).listener(failing).build();
    assertThat(limiter.tryAcquire("u").allowed()).isTrue();
    assertThat(limiter.tryAcquire("u").allowed()).isFalse();
  }
}
