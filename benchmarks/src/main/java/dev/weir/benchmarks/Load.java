package dev.weir.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** Threads that ask one after the other, each as fast as it is answered. */
final class Load {

  /**
   * What a load gave.
   *
   * @param perSecond decisions per second
   * @param nanos how long a caller waited
   */
  record Result(double perSecond, Histogram nanos) {

    double percentileMicros(double percentile) {
      return nanos.getValueAtPercentile(percentile) / 1e3;
    }
  }

  private final int threads;
  private final int keys;
  private volatile boolean ended;

  private Load(int threads, int keys) {
    this.threads = threads;
    this.keys = keys;
  }

  /** Runs a load; a failure of any call is thrown. */
  static Result run(Contestant contestant, int threads, int keys, long millis) {
    return new Load(threads, keys).run(contestant, millis);
  }

  private Result run(Contestant contestant, long millis) {
    List<Histogram> histograms = new ArrayList<>();
    List<Thread> running = new ArrayList<>();
    AtomicReference<Throwable> failed = new AtomicReference<>();
    CountDownLatch ready = new CountDownLatch(threads + 1);
    for (int i = 0; i < threads; i++) {
      Histogram nanos = new Histogram(3);
      histograms.add(nanos);
      Thread thread = new Thread(() -> ask(contestant, nanos, ready), "load-" + i);
      thread.setUncaughtExceptionHandler((t, failure) -> failed.set(failure));
      thread.start();
      running.add(thread);
    }
    ready.countDown();
    long start = System.nanoTime();
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    ended = true;
    running.forEach(Load::join);
    double seconds = (System.nanoTime() - start) / 1e9;
    if (failed.get() != null) {
      throw new IllegalStateException(contestant.name() + " failed", failed.get());
    }
    Histogram all = new Histogram(3);
    histograms.forEach(all::add);
    return new Result(all.getTotalCount() / seconds, all);
  }

  private void ask(Contestant contestant, Histogram nanos, CountDownLatch ready) {
    ready.countDown();
    try {
      ready.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    ThreadLocalRandom random = ThreadLocalRandom.current();
    while (!ended) {
      int key = keys == 1 ? 0 : random.nextInt(keys);
      long start = System.nanoTime();
      contestant.decide(key);
      nanos.recordValue(System.nanoTime() - start);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
