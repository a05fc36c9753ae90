package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.FailureMode;
import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.testkit.Await;
import dev.weir.testkit.RedisCluster;
import dev.weir.testkit.RedisServer;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * Open-loop traffic on a Cluster whose masters are killed one after the other. It runs for ten
 * seconds and one kill, or with {@code -Dweir.soak.minutes=10} for ten minutes and a kill in each.
 *
 * <p>Keys change every two seconds and are asked for more than their limits hold, so that each kill
 * hits many that are being used up; a limit lasts longer than the soak, so that what is admitted
 * above it was lost.
 */
class SoakTest {

  private static final int MINUTES = Integer.getInteger("weir.soak.minutes", 0);
  private static final Duration LENGTH =
      MINUTES == 0 ? Duration.ofSeconds(10) : Duration.ofMinutes(MINUTES);
  private static final int KILLS = Math.max(1, MINUTES);
  private static final Duration BUDGET = Duration.ofMillis(100);
  // As in the fault table: two cores have six nodes and the callers to run, and the first failure
  // of a JVM loads classes.
  private static final Duration SLACK = Duration.ofMillis(400);
  private static final long LIMIT = 10;
  private static final double SHARE = 0.5;
  private static final int THREADS = 3;
  private static final int CALLS_A_SECOND = 200;
  private static final int KEYS_A_LIMITER = 10;
  private static final long GENERATION_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final SoakLedger ledger = new SoakLedger(LIMIT, (long) (LIMIT * SHARE), BUDGET);
  private volatile boolean ended;

  @Test
  void mastersDieUnderTraffic() {
    try (RedisCluster cluster = RedisCluster.start()) {
      RedisClusterClient client = ClusterSetup.lettuce(cluster);
      try (RedisRateLimiter closed = limiter(client, "closed", FailureMode.closed());
          RedisRateLimiter local = limiter(client, "local", FailureMode.local(SHARE))) {
        for (RedisRateLimiter limiter : List.of(closed, local)) {
          assertThat(limiter.check()).isEmpty();
        }
        Lateness lateness = new Lateness();
        List<Thread> threads = start(List.of(closed, local));
        killMasters(cluster);
        ended = true;
        threads.forEach(SoakTest::join);
        // What is not answered by now is lost.
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2));
        lateness.close();
        judge(ledger.result(), lateness);
      } finally {
        ended = true;
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
      }
    }
  }

  private static RedisRateLimiter limiter(
      RedisClusterClient client, String name, FailureMode mode) {
    RateLimitPolicy policy =
        RateLimitPolicy.builder(name)
            .limit(FixedWindow.of(LIMIT, Duration.ofHours(24)))
            .failureMode(mode)
            .build();
    return LettuceRateLimiter.builder(client, policy).timeout(BUDGET).build();
  }

  private List<Thread> start(List<RedisRateLimiter> limiters) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int number = i;
      threads.add(new Thread(() -> ask(limiters, number), "soak-" + i));
    }
    threads.forEach(thread -> thread.setDaemon(true));
    threads.forEach(Thread::start);
    return threads;
  }

  /** Calls at even distances, whether those before have been answered or not. */
  private void ask(List<RedisRateLimiter> limiters, int thread) {
    long start = System.nanoTime();
    for (long i = 0; !ended; i++) {
      LockSupport.parkNanos(start + i * 1_000_000_000L / CALLS_A_SECOND - System.nanoTime());
      RedisRateLimiter limiter = limiters.get((int) (i % limiters.size()));
      long generation = (System.nanoTime() - start) / GENERATION_NANOS;
      long number = i / limiters.size() % KEYS_A_LIMITER;
      String key = "t%d-%d-%d".formatted(thread, generation, number);
      ask(limiter, key);
    }
  }

  private void ask(RedisRateLimiter limiter, String key) {
    ledger.asked();
    long start = System.nanoTime();
    CompletableFuture<Decision> unused =
        limiter
            .tryAcquireAsync(key)
            .whenComplete(
                (decision, failure) -> {
                  if (failure == null) {
                    String account = limiter.policy().name() + ":" + key;
                    ledger.answered(account, decision, start, System.nanoTime());
                  } else {
                    ledger.failed();
                  }
                });
  }

  /** Kills a master in the middle of each part of the time; the old one comes back as a replica. */
  private void killMasters(RedisCluster cluster) {
    long start = System.nanoTime();
    for (int kill = 0; kill < KILLS; kill++) {
      sleepUntil(start + LENGTH.toNanos() * (3L * kill + 1) / (3L * KILLS));
      int shard = kill % RedisCluster.SHARDS;
      int slot = RedisCluster.firstSlot(shard);
      RedisServer master = cluster.masterOf(slot);
      RedisServer replica = cluster.replicasOf(master).get(0);
      ledger.killed(shard, System.nanoTime());
      master.kill();
      Duration promoted = cluster.awaitMaster(slot, replica);
      master.restart();
      cluster.awaitOk();
      System.out.printf("soak kill %d: promoted after %d ms%n", kill + 1, promoted.toMillis());
    }
    sleepUntil(start + LENGTH.toNanos());
  }

  private static void sleepUntil(long nanos) {
    Duration unused =
        Await.until("the time", LENGTH.plusMinutes(1), () -> System.nanoTime() - nanos >= 0);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void judge(SoakLedger.Result result, Lateness lateness) {
    long slowByItself = ledger.slowBut(lateness);
    System.out.printf(
        Locale.ROOT,
        "soak: %d s, %d kills, %d keys: asked %d, answered %d, over 2 x budget %d (%d but for a"
            + " machine that is up to %d ms late by itself; slowest %d ms), degraded %d, lost %d,"
            + " failed %d, over-admitted %d, at most %d by what may have been unreplicated%n",
        LENGTH.toSeconds(),
        result.kills(),
        result.keys(),
        result.asked(),
        result.answered(),
        result.slow(),
        slowByItself,
        lateness.longestMillis(),
        result.slowestMillis(),
        result.degraded(),
        result.lost(),
        result.failed(),
        result.over(),
        result.bound());
    ledger.slowCalls().forEach(line -> System.out.println("soak " + line));
    assertThat(result.lost()).as("lost").isZero();
    assertThat(result.failed()).as("failed").isZero();
    assertThat(result.degraded()).as("degraded").isPositive();
    assertThat(result.slowestMillis())
        .as("slowest, on a machine that is up to %d ms late by itself", lateness.longestMillis())
        .isLessThanOrEqualTo(BUDGET.plus(SLACK).toMillis() + lateness.longestMillis());
    assertThat(result.broken()).as("keys admitted above their bound").isEmpty();
  }
}
