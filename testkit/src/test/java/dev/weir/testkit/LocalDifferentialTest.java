package dev.weir.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LocalDifferentialTest {

  private static final long STEPS = 500_000;

  @Test
  void theInProcessLimiterAnswersAsTheModelDoes() {
    try (LocalHarness harness = new LocalHarness()) {
      assertTrue(Differential.withModel(harness).run(STEPS) > 0);
    }
  }

  @Test
  void oneStoreAnswersAsAnother() {
    try (LocalHarness left = new LocalHarness();
        LocalHarness right = new LocalHarness()) {
      assertTrue(Differential.between(left, right).run(STEPS / 20, Seed.get()) > 0);
    }
  }
}
