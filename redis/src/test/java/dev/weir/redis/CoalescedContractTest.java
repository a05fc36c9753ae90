package dev.weir.redis;

import dev.weir.testkit.LimiterHarness;
import dev.weir.testkit.RateLimiterContract;
import dev.weir.testkit.RedisVersion;

/** The contract when calls are sent together. */
class CoalescedContractTest extends RateLimiterContract {

  @Override
  protected LimiterHarness harness() {
    return RedisHarness.coalescing(RedisVersion.REDIS_7_0);
  }
}
