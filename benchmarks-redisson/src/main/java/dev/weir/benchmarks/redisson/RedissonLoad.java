package dev.weir.benchmarks.redisson;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * Blocking calls of many threads to Redisson's rate limiter. Prints decisions per second and the
 * 99th percentile in microseconds.
 */
public final class RedissonLoad {

  private static final long RATE = 1_000_000;

  private RedissonLoad() {}

  /** Arguments: Redis' port, threads, keys, milliseconds to warm up and to measure. */
  public static void main(String[] args) throws InterruptedException {
    int threads = Integer.parseInt(args[1]);
    int keys = Integer.parseInt(args[2]);
    Config config = new Config();
    config.useSingleServer().setAddress("redis://127.0.0.1:" + args[0]);
    RedissonClient client = Redisson.create(config);
    try {
      List<RRateLimiter> limiters = new ArrayList<>();
      for (int i = 0; i < keys; i++) {
        RRateLimiter limiter = client.getRateLimiter("redisson:" + i);
        limiter.trySetRate(RateType.OVERALL, RATE, Duration.ofMinutes(1));
        limiters.add(limiter);
      }
      measure(limiters, threads, Long.parseLong(args[3]));
      System.out.println(measure(limiters, threads, Long.parseLong(args[4])));
    } finally {
      client.shutdown();
    }
  }

  private static String measure(List<RRateLimiter> limiters, int threads, long millis)
      throws InterruptedException {
    AtomicBoolean ended = new AtomicBoolean();
    LongAdder decisions = new LongAdder();
    ConcurrentHistogram micros = new ConcurrentHistogram(3);
    List<Thread> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread thread = new Thread(() -> ask(limiters, ended, decisions, micros));
      thread.start();
      running.add(thread);
    }
    long start = System.nanoTime();
    Thread.sleep(millis);
    ended.set(true);
    double seconds = (System.nanoTime() - start) / 1e9;
    for (Thread thread : running) {
      thread.join();
    }
    return "%.0f %d".formatted(decisions.sum() / seconds, micros.getValueAtPercentile(99));
  }

  private static void ask(
      List<RRateLimiter> limiters,
      AtomicBoolean ended,
      LongAdder decisions,
      ConcurrentHistogram micros) {
    while (!ended.get()) {
      RRateLimiter limiter = limiters.get(ThreadLocalRandom.current().nextInt(limiters.size()));
      long start = System.nanoTime();
      if (!limiter.tryAcquire()) {
        throw new IllegalStateException("the rate is meant never to be reached");
      }
      micros.recordValue((System.nanoTime() - start) / 1_000);
      decisions.increment();
    }
  }
}
