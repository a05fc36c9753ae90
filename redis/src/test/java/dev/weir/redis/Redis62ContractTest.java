package dev.weir.redis;

import dev.weir.testkit.LimiterHarness;
import dev.weir.testkit.RateLimiterContract;
import dev.weir.testkit.RedisVersion;

/** The contract on Redis 6.2. */
class Redis62ContractTest extends RateLimiterContract {

  @Override
  protected LimiterHarness harness() {
    return new RedisHarness(RedisVersion.REDIS_6_2);
  }
}
