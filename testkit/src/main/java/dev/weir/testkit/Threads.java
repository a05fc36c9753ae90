package dev.weir.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntToLongFunction;

/** Runs the same thing on many threads that start together. */
final class Threads {

  private Threads() {}

  /** The sum of what the threads return; each is given its number. */
  static long sum(int threads, IntToLongFunction body) {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      CountDownLatch start = new CountDownLatch(threads);
      List<Future<Long>> results = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int number = i;
        results.add(
            pool.submit(
                () -> {
                  start.countDown();
                  start.await();
                  return body.applyAsLong(number);
                }));
      }
      long sum = 0;
      for (Future<Long> result : results) {
        sum += result.get();
      }
      return sum;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the threads", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a thread failed", e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }
}
