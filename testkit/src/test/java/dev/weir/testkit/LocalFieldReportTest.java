package dev.weir.testkit;

class LocalFieldReportTest extends FieldReportContract {

  @Override
  protected LimiterHarness harness() {
    return new LocalHarness();
  }
}
