package dev.weir;

/**
 * Where an in-process limiter reads the time: once for each decision. Limiters on Redis do not use
 * one; they read Redis' own clock. Implementations must be safe for use by several threads.
 */
@FunctionalInterface
public interface TimeSource {

  /**
   * Microseconds since 1970-01-01T00:00:00Z, 0 to 2^52. A reading earlier than one that a state has
   * already seen is treated as that one.
   */
  long epochMicros();

  /**
   * The time of the machine's clock when this method was called, carried on by its monotonic timer:
   * it never goes back and does not follow later corrections of the clock, so that windows aligned
   * to the clock drift with the timer.
   */
  static TimeSource monotonic() {
    long startNanos = System.nanoTime();
    java.time.Instant start = java.time.Instant.now();
    long startMicros = start.getEpochSecond() * 1_000_000L + start.getNano() / 1000;
    return () -> startMicros + (System.nanoTime() - startNanos) / 1000;
  }
}
