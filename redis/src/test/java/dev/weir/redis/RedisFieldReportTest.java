package dev.weir.redis;

import dev.weir.testkit.FieldReportContract;
import dev.weir.testkit.LimiterHarness;
import dev.weir.testkit.RedisVersion;

/** What limiters elsewhere got wrong, on Redis. */
class RedisFieldReportTest extends FieldReportContract {

  @Override
  protected LimiterHarness harness() {
    return new RedisHarness(RedisVersion.usual());
  }
}
