package dev.weir.testkit;

import org.junit.jupiter.api.Nested;

/**
 * What limiters elsewhere got wrong, as scenarios that a store must get right, each for every
 * algorithm it can occur in. The names of the tests start with the number of the report. A store
 * runs them by a subclass with its harness, as {@link RateLimiterContract} shows.
 */
public abstract class FieldReportContract {

  /** A harness of a store that is empty; asked for once for each test. */
  protected abstract LimiterHarness harness();

  @Nested
  class Waits extends WaitReports {
    @Override
    protected LimiterHarness harness() {
      return FieldReportContract.this.harness();
    }
  }

  @Nested
  class Charges extends ChargeReports {
    @Override
    protected LimiterHarness harness() {
      return FieldReportContract.this.harness();
    }
  }

  @Nested
  class Configuration extends ConfigurationReports {
    @Override
    protected LimiterHarness harness() {
      return FieldReportContract.this.harness();
    }
  }

  @Nested
  class Times extends TimeReports {
    @Override
    protected LimiterHarness harness() {
      return FieldReportContract.this.harness();
    }
  }

  @Nested
  class Numbers extends NumberReports {
    @Override
    protected LimiterHarness harness() {
      return FieldReportContract.this.harness();
    }
  }

  @Nested
  class Keys extends KeyReports {
    @Override
    protected LimiterHarness harness() {
      return FieldReportContract.this.harness();
    }
  }
}
