package dev.weir.server.replay;

import dev.weir.adaptive.AdaptiveRateLimiter;
import dev.weir.local.LocalAdaptiveRateLimiter;
import dev.weir.redis.LettuceRateLimiter;
import dev.weir.redis.RecordedTime;
import dev.weir.redis.RedisAdaptiveRateLimiter;
import dev.weir.redis.RedisRateLimiter;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Where the state of a replay is kept, and the time at which calls are judged. Of one thread.
 *
 * @param limiter judges calls at the time that was set last
 * @param clock sets it, in microseconds since the epoch
 * @param end lets go of what the store holds open
 */
record ReplayStore(AdaptiveRateLimiter limiter, LongConsumer clock, Runnable end)
    implements AutoCloseable {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** The memory of this process. */
  static ReplayStore memory(PolicyFile policy) {
    AtomicLong time = new AtomicLong();
    AdaptiveRateLimiter limiter =
        LocalAdaptiveRateLimiter.create(
            policy.limits(), policy.adaptive(), time::get, Integer.MAX_VALUE);
    return new ReplayStore(limiter, time::set, () -> {});
  }

  /** A Redis, under a key prefix that nobody else uses. */
  static ReplayStore redis(PolicyFile policy, RedisClient client) {
    RecordedTime time = new RecordedTime();
    RedisRateLimiter limits =
        time.limiter(
            LettuceRateLimiter.builder(client, policy.limits())
                .keyPrefix("weir-replay:" + UUID.randomUUID())
                .timeout(TIMEOUT));
    return new ReplayStore(
        RedisAdaptiveRateLimiter.of(limits, policy.adaptive()), time::set, limits::close);
  }

  void time(long epochMicros) {
    clock.accept(epochMicros);
  }

  @Override
  public void close() {
    end.run();
  }
}
