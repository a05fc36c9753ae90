package dev.weir.examples;

import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.TokenBucket;
import dev.weir.decorate.Guard;
import dev.weir.local.LocalRateLimiter;
import java.time.Duration;
import java.util.List;

/** A batch job that writes to a database no faster than it is allowed to. */
public final class BatchExample {

  private BatchExample() {}

  /** Writes twenty records, ten at once and then one every 20 ms. */
  public static void main(String[] args) {
    RateLimiter limiter =
        LocalRateLimiter.create(
            RateLimitPolicy.of("writes", TokenBucket.smooth(10, 50, Duration.ofSeconds(1))));
    Guard guard = Guard.of(limiter, "database").waiting(Duration.ofMinutes(1));

    long start = System.nanoTime();
    for (String record : records()) {
      guard.runnable(() -> write(record)).run();
    }
    long millis = (System.nanoTime() - start) / 1_000_000;
    System.out.println("20 records in " + millis + " ms");
  }

  private static List<String> records() {
    return java.util.stream.IntStream.range(0, 20).mapToObj(i -> "record " + i).toList();
  }

  private static void write(String record) {
    System.out.println("wrote " + record);
  }
}
