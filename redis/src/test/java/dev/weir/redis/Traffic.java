package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.Source;
import dev.weir.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A caller for each key, who asks for one permit every few milliseconds while a test does something
 * to Redis. Ends with {@link #close}; the tallies are then complete.
 */
final class Traffic implements AutoCloseable {

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

  private final Map<String, Tally> tallies = new TreeMap<>();
  private final List<Thread> callers = new ArrayList<>();
  private volatile boolean ended;

  private Traffic() {}

  static Traffic on(RateLimiter limiter, List<String> keys) {
    Traffic traffic = new Traffic();
    for (String key : keys) {
      Tally tally = new Tally();
      traffic.tallies.put(key, tally);
      Thread caller = new Thread(() -> traffic.ask(limiter, key, tally), "traffic-" + key);
      caller.setDaemon(true);
      traffic.callers.add(caller);
      caller.start();
    }
    return traffic;
  }

  private void ask(RateLimiter limiter, String key, Tally tally) {
    while (!ended) {
      long start = System.nanoTime();
      try {
        tally.add(limiter.tryAcquire(key), System.nanoTime() - start);
      } catch (RuntimeException e) {
        tally.add(e);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** What the caller of a key has been told so far. */
  Tally of(String key) {
    Tally tally = tallies.get(key);
    if (tally == null) {
      throw new IllegalArgumentException("nobody asks for " + key);
    }
    return tally;
  }

  /** Waits until every caller has had that many more decisions of Redis. */
  void awaitByRedis(long more) {
    IdentityHashMap<Tally, Long> wanted = new IdentityHashMap<>();
    tallies.values().forEach(tally -> wanted.put(tally, tally.byRedis() + more));
    Duration unused =
        Await.until(
            "decisions of Redis on all keys",
            ClusterSetup.RECOVERY,
            () ->
                wanted.entrySet().stream()
                    .allMatch(entry -> entry.getKey().byRedis() >= entry.getValue()));
  }

  long slowestMillis() {
    return tallies.values().stream().mapToLong(Tally::slowestMillis).max().orElse(0);
  }

  @Override
  public void close() {
    ended = true;
    for (Thread caller : callers) {
      try {
        caller.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** What one caller was told. */
  static final class Tally {
    private long allowedByRedis;
    private long refusedByRedis;
    private long degraded;
    private long slowestNanos;
    private final List<RuntimeException> thrown = new ArrayList<>();

    private synchronized void add(Decision decision, long nanos) {
      slowestNanos = Math.max(slowestNanos, nanos);
      if (decision.source() != Source.REDIS) {
        degraded++;
      } else if (decision.allowed()) {
        allowedByRedis++;
      } else {
        refusedByRedis++;
      }
    }

    private synchronized void add(RuntimeException e) {
      thrown.add(e);
    }

    synchronized long byRedis() {
      return allowedByRedis + refusedByRedis;
    }

    synchronized long allowedByRedis() {
      return allowedByRedis;
    }

    synchronized long degraded() {
      return degraded;
    }

    synchronized List<RuntimeException> thrown() {
      return List.copyOf(thrown);
    }

    synchronized long slowestMillis() {
      return TimeUnit.NANOSECONDS.toMillis(slowestNanos);
    }
  }
}
