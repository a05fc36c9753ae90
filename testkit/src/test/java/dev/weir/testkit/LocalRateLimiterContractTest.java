package dev.weir.testkit;

class LocalRateLimiterContractTest extends RateLimiterContract {

  @Override
  protected LimiterHarness harness() {
    return new LocalHarness();
  }
}
