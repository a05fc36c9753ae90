package dev.weir.testkit;

import org.junit.jupiter.api.Nested;

/**
 * The contract of a {@link dev.weir.RateLimiter}, promise by promise, for every algorithm. A store
 * keeps it if a subclass with its harness passes:
 *
 * <pre>{@code
 * class MyStoreContractTest extends RateLimiterContract {
 *   @Override
 *   protected LimiterHarness harness() {
 *     return new MyStoreHarness();
 *   }
 * }
 * }</pre>
 *
 * <p>The system property {@value Seed#PROPERTY} repeats a run, {@value Differential#STEPS_PROPERTY}
 * makes the differential run longer or shorter.
 */
public abstract class RateLimiterContract {

  /** A harness of a store that is empty; asked for once for each test. */
  protected abstract LimiterHarness harness();

  @Nested
  class Charging extends ChargingPromises {
    @Override
    protected LimiterHarness harness() {
      return RateLimiterContract.this.harness();
    }
  }

  @Nested
  class Changing extends ChangingPromises {
    @Override
    protected LimiterHarness harness() {
      return RateLimiterContract.this.harness();
    }
  }

  @Nested
  class Refunding extends RefundPromises {
    @Override
    protected LimiterHarness harness() {
      return RateLimiterContract.this.harness();
    }
  }

  @Nested
  class Joint extends JointPromises {
    @Override
    protected LimiterHarness harness() {
      return RateLimiterContract.this.harness();
    }
  }

  @Nested
  class Waiting extends WaitingPromises {
    @Override
    protected LimiterHarness harness() {
      return RateLimiterContract.this.harness();
    }
  }

  @Nested
  class Calendar extends CalendarPromises {
    @Override
    protected LimiterHarness harness() {
      return RateLimiterContract.this.harness();
    }
  }

  @Nested
  class Generated extends GeneratedPromises {
    @Override
    protected LimiterHarness harness() {
      return RateLimiterContract.this.harness();
    }
  }
}
