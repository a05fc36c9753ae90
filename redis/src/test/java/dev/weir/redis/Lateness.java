package dev.weir.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * How late a thread of this machine is by itself: one that wants to run every millisecond notes
 * when it could not. Ends with {@link #close}.
 */
final class Lateness implements AutoCloseable {

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long NOTED_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final List<Span> late = new ArrayList<>();
  private final Thread thread = new Thread(this::measure, "lateness");
  private volatile boolean ended;

  /** Starts measuring. */
  Lateness() {
    thread.setDaemon(true);
    thread.start();
  }

  private void measure() {
    while (!ended) {
      long due = System.nanoTime() + PAUSE_NANOS;
      LockSupport.parkNanos(PAUSE_NANOS);
      long now = System.nanoTime();
      if (now - due > NOTED_NANOS) {
        note(new Span(due, now));
      }
    }
  }

  private synchronized void note(Span span) {
    late.add(span);
  }

  /** How much of that time the thread was late. */
  synchronized long within(Span time) {
    return late.stream()
        .mapToLong(span -> Math.min(span.end(), time.end()) - Math.max(span.start(), time.start()))
        .filter(nanos -> nanos > 0)
        .sum();
  }

  synchronized long longestMillis() {
    return TimeUnit.NANOSECONDS.toMillis(late.stream().mapToLong(Span::nanos).max().orElse(0));
  }

  @Override
  public void close() {
    ended = true;
  }

  /**
   * A time.
   *
   * @param start when it began, by {@link System#nanoTime}
   * @param end when it ended
   */
  record Span(long start, long end) {
    long nanos() {
      return end - start;
    }
  }
}
