package dev.weir.redis;

import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.testkit.Shape;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A process of its own that asks from many threads at once, for {@link ConcurrencyTest}: arguments
 * are the port of Redis, the threads, the calls of each, the limit, and the shapes of the limits.
 * Prints how many calls were allowed.
 */
final class HammerProcess {

  private HammerProcess() {}

  public static void main(String[] arguments) throws InterruptedException {
    int threads = Integer.parseInt(arguments[1]);
    int calls = Integer.parseInt(arguments[2]);
    RedisClient client = RedisClient.create("redis://127.0.0.1:" + arguments[0]);
    RateLimiter limiter =
        LettuceRateLimiter.builder(client, policy(arguments))
            .timeout(Duration.ofSeconds(60))
            .build();
    AtomicLong allowed = new AtomicLong();
    CountDownLatch ready = new CountDownLatch(threads);
    Thread[] running = new Thread[threads];
    for (int i = 0; i < threads; i++) {
      running[i] =
          new Thread(
              () -> {
                ready.countDown();
                for (int call = 0; call < calls; call++) {
                  if (limiter.tryAcquire("hot").allowed()) {
                    allowed.incrementAndGet();
                  }
                }
              });
      running[i].start();
    }
    for (Thread thread : running) {
      thread.join();
    }
    System.out.println("allowed " + allowed.get());
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
  }

  private static RateLimitPolicy policy(String... arguments) {
    RateLimitPolicy.Builder policy = RateLimitPolicy.builder("api");
    for (int i = 4; i < arguments.length; i++) {
      // Only the first is tight; the others only have to stay in step.
      long limit = Long.parseLong(arguments[3]) * (i == 4 ? 1 : 2);
      policy.limit(Shape.valueOf(arguments[i]).of(limit, Duration.ofDays(1)));
    }
    return policy.build();
  }
}
