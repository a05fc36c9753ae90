package dev.weir.benchmarks;

import dev.weir.Decision;
import dev.weir.RateLimitPolicy;
import dev.weir.Source;
import dev.weir.TokenBucket;
import dev.weir.local.LocalRateLimiter;
import io.github.bucket4j.Bucket;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;

/** The limiters in this process. */
@SuppressWarnings("UnstableApiUsage") // Guava's limiter is what is compared with.
final class LocalBench {

  private static final int THREADS = 4;
  private static final int CALLS = 200_000;

  private final Settings settings;
  private final Report report;

  LocalBench(Settings settings, Report report) {
    this.settings = settings;
    this.report = report;
  }

  /** A limiter as a contestant. */
  private record Local(String name, IntFunction<Boolean> limiter) implements Contestant {
    @Override
    public void decide(int key) {
      if (!limiter.apply(key)) {
        throw new IllegalStateException("the limit is meant never to be reached");
      }
    }

    @Override
    public void close() {}
  }

  private static final long CAPACITY = 1_000_000_000L;

  private static Local weir() {
    LocalRateLimiter limiter =
        LocalRateLimiter.create(
            RateLimitPolicy.of(
                "local", TokenBucket.smooth(CAPACITY, CAPACITY, Duration.ofSeconds(1))));
    return new Local("weir", key -> limiter.tryAcquire(Keys.of(key)).allowed());
  }

  private static Local bucket4j() {
    ConcurrentHashMap<String, Bucket> buckets = new ConcurrentHashMap<>();
    return new Local(
        "bucket4j",
        key ->
            buckets
                .computeIfAbsent(Keys.of(key), any -> bucket())
                .tryConsumeAndReturnRemaining(1)
                .isConsumed());
  }

  private static Bucket bucket() {
    return Bucket.builder()
        .addLimit(limit -> limit.capacity(CAPACITY).refillGreedy(CAPACITY, Duration.ofSeconds(1)))
        .build();
  }

  private static Local guava() {
    ConcurrentHashMap<String, com.google.common.util.concurrent.RateLimiter> limiters =
        new ConcurrentHashMap<>();
    return new Local(
        "guava",
        key ->
            limiters
                .computeIfAbsent(
                    Keys.of(key),
                    any -> com.google.common.util.concurrent.RateLimiter.create(CAPACITY))
                .tryAcquire(Duration.ofSeconds(1)));
  }

  private static Local resilience() {
    ConcurrentHashMap<String, RateLimiter> limiters = new ConcurrentHashMap<>();
    RateLimiterConfig config =
        RateLimiterConfig.custom()
            .limitForPeriod((int) CAPACITY)
            .limitRefreshPeriod(Duration.ofSeconds(1))
            .timeoutDuration(Duration.ZERO)
            .build();
    return new Local(
        "resilience4j",
        key ->
            limiters
                .computeIfAbsent(Keys.of(key), name -> RateLimiter.of(name, config))
                .acquirePermission());
  }

  void run() {
    for (int keys : List.of(1, Keys.MANY)) {
      String what = "in process, 4 threads, " + (keys == 1 ? "one key" : "1,000 keys");
      Turns turns =
          Turns.run(List.of(weir(), bucket4j(), guava(), resilience()), THREADS, keys, settings);
      turns.report(report, what);
      String name = keys == 1 ? "local-hot-key" : "local-many-keys";
      report.goal(
          Goal.atLeast(
              name + "-vs-bucket4j",
              turns.ratio("weir", "bucket4j", Load.Result::perSecond),
              1,
              "x"));
      report.goal(
          Goal.atLeast(
              name + "-vs-guava", turns.ratio("weir", "guava", Load.Result::perSecond), 1, "x"));
    }
    report.heading("in process, allocated per decision (bytes)");
    report.figure("allocation", "weir", "B", 1, new Measured(allocated(weir())));
    report.figure("allocation", "bucket4j", "B", 1, new Measured(allocated(bucket4j())));
    report.goal(
        Goal.atMost(
            "local-allocation-beyond-decision",
            new Measured(allocated(weir()) - allocatedByDecision()),
            0.5,
            "B"));
  }

  private static double allocated(Contestant contestant) {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int i = 0; i < CALLS; i++) {
      contestant.decide(0);
    }
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < CALLS; i++) {
      contestant.decide(0);
    }
    return (double) (threads.getCurrentThreadAllocatedBytes() - before) / CALLS;
  }

  /** What a decision is made of: itself and its figures. */
  private static double allocatedByDecision() {
    var policy = RateLimitPolicy.of("d", TokenBucket.smooth(10, 10, Duration.ofSeconds(1)));
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    Decision[] kept = new Decision[CALLS];
    for (int round = 0; round < 2; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < CALLS; i++) {
        kept[i] = Decision.of(policy, Source.MEMORY, 1, i, i, new long[] {9, 0, 0, i, 0});
      }
      if (round == 1) {
        return (double) (threads.getCurrentThreadAllocatedBytes() - before) / CALLS;
      }
    }
    throw new AssertionError(kept);
  }
}
