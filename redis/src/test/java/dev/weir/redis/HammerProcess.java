package dev.weir.redis;

import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.testkit.Shape;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A process of its own that asks from many threads at once, for {@link ConcurrencyTest}: arguments
 * are the port of Redis, the threads, the calls of each, the limit, and policies as shapes joined
 * by '+'. Prints for each policy how many calls were allowed.
 */
final class HammerProcess {

  private HammerProcess() {}

  public static void main(String[] arguments) throws InterruptedException {
    int threads = Integer.parseInt(arguments[1]);
    int calls = Integer.parseInt(arguments[2]);
    long limit = Long.parseLong(arguments[3]);
    RedisClient client = RedisClient.create("redis://127.0.0.1:" + arguments[0]);
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      for (int i = 4; i < arguments.length; i++) {
        RateLimitPolicy policy = policy("hammer" + i, limit, arguments[i].split("\\+"));
        RateLimiter limiter =
            LettuceRateLimiter.builder(connection, policy).timeout(Duration.ofMinutes(1)).build();
        System.out.println(arguments[i] + " " + allowed(limiter, threads, calls) + ".");
      }
    } finally {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
  }

  private static long allowed(RateLimiter limiter, int threads, int calls)
      throws InterruptedException {
    AtomicLong allowed = new AtomicLong();
    CountDownLatch ready = new CountDownLatch(threads);
    Thread[] running = new Thread[threads];
    for (int i = 0; i < threads; i++) {
      running[i] = new Thread(() -> allowed.addAndGet(ask(limiter, ready, calls)));
      running[i].start();
    }
    for (Thread thread : running) {
      thread.join();
    }
    return allowed.get();
  }

  private static long ask(RateLimiter limiter, CountDownLatch ready, int calls) {
    ready.countDown();
    try {
      ready.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts", e);
    }
    long allowed = 0;
    for (int call = 0; call < calls; call++) {
      allowed += limiter.tryAcquire("hot").allowed() ? 1 : 0;
    }
    return allowed;
  }

  private static RateLimitPolicy policy(String name, long limit, String... shapes) {
    RateLimitPolicy.Builder policy = RateLimitPolicy.builder(name);
    for (int i = 0; i < shapes.length; i++) {
      // Only the first is tight; the others only have to stay in step.
      policy.limit(Shape.valueOf(shapes[i]).of(limit * (i == 0 ? 1 : 2), Duration.ofDays(1)));
    }
    return policy.build();
  }
}
