package dev.weir.servlet;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Logs one kind of event at most once a minute, and says how many there were. */
final class OccasionalLog {

  private static final Logger LOG = System.getLogger("dev.weir.servlet");
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final AtomicLong unlogged = new AtomicLong();
  private final AtomicLong nextNanos = new AtomicLong(System.nanoTime());

  /** Logs an event, or counts it for the next time. */
  void log(Level level, String message, @Nullable Throwable cause) {
    long count = unlogged.incrementAndGet();
    long now = System.nanoTime();
    long next = nextNanos.get();
    if (now - next >= 0 && nextNanos.compareAndSet(next, now + PAUSE_NANOS)) {
      unlogged.addAndGet(-count);
      LOG.log(level, count == 1 ? message : message + " (" + count + " times)", cause);
    }
  }

  /** Logs something that is said once. */
  static void warn(String message) {
    LOG.log(Level.WARNING, message);
  }
}
