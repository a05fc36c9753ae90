package dev.weir.testkit;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what other processes do. */
public final class Await {

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private Await() {}

  /**
   * Waits until something is so, asking every 5 ms.
   *
   * @param what is waited for, for the message
   * @return how long it took
   * @throws IllegalStateException if it is not so within that time
   */
  public static Duration until(String what, Duration atMost, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > atMost.toNanos()) {
        throw new IllegalStateException(what + " did not come about within " + atMost);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return Duration.ofNanos(System.nanoTime() - start);
  }
}
