package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Differential;
import dev.weir.testkit.RedisVersion;
import dev.weir.testkit.Seed;
import dev.weir.testkit.Shape;
import dev.weir.testkit.Step;
import dev.weir.testkit.Trace;
import dev.weir.testkit.TraceGenerator;
import org.junit.jupiter.api.Test;

/** Promise 9: a Redis that removes keys at their deadline answers as a store that keeps all. */
class ExpiredKeysTest {

  private static final long STEPS = 10_000;
  private static final int STEPS_PER_TRACE = 60;

  @Test
  void nothingIsForgottenThatStillMatters() {
    long steps = Long.getLong(Differential.STEPS_PROPERTY, STEPS);
    TraceGenerator generator = new TraceGenerator(Seed.get());
    try (RedisHarness harness = new RedisHarness(RedisVersion.usual(), true)) {
      Differential differential = Differential.withModel(harness);
      long done = 0;
      while (done < steps) {
        for (Shape shape : Shape.values()) {
          Trace trace =
              withoutStepsBack(
                  generator.nextUnchanged(generator.policy("expiring", shape), STEPS_PER_TRACE));
          differential.check(trace, Seed.get());
          done += trace.steps().size();
        }
      }
      System.out.printf(
          "differential: %d steps with %d keys expired, seed %d%n",
          done, harness.expired(), Seed.get());
      assertThat(harness.expired()).isPositive();
    }
  }

  /** After a step back a removed key is asked for at a time when it was not removed yet. */
  private static Trace withoutStepsBack(Trace trace) {
    return new Trace(
        trace.policy(),
        trace.startMicros(),
        trace.steps().stream()
            .filter(step -> !(step instanceof Step.Advance advance && advance.micros() < 0))
            .toList());
  }
}
