package dev.weir.testkit;

import dev.weir.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock that stands still until it is told to move. Safe for use by several threads.
 *
 * <p>It counts its readings, and can be made to move by itself at each of them, so that a decision
 * that reads the time twice is found out.
 */
public final class ManualClock implements TimeSource {

  /** A midnight UTC that is a whole multiple of every usual window: 2025-09-21T00:00:00Z. */
  public static final long MIDNIGHT = 20_352L * 86_400_000_000L;

  /** The latest time it can show: 2^52 microseconds, as {@link TimeSource} allows. */
  public static final long LATEST = 1L << 52;

  private final AtomicLong micros = new AtomicLong();
  private final AtomicLong readings = new AtomicLong();
  private volatile long stepPerReading;

  /** A clock that shows {@link #MIDNIGHT}. */
  public ManualClock() {
    set(MIDNIGHT);
  }

  @Override
  public long epochMicros() {
    readings.incrementAndGet();
    return micros.getAndAdd(stepPerReading);
  }

  /** The time shown, without counting as a reading. */
  public long now() {
    return micros.get();
  }

  /** How often {@link #epochMicros()} was called. */
  public long readings() {
    return readings.get();
  }

  /** From now on each reading moves the clock on by that much after it; 0 stops that. */
  public void stepPerReading(long stepMicros) {
    stepPerReading = stepMicros;
  }

  /** Shows that time, in microseconds since the epoch; times outside 0 to 2^52 are clamped. */
  public void set(long epochMicros) {
    micros.set(Math.max(0, Math.min(LATEST, epochMicros)));
  }

  /** Moves on; 0 or more microseconds. */
  public void advance(long byMicros) {
    set(Math.addExact(now(), byMicros));
  }

  /** Moves on. */
  public void advance(Duration by) {
    advance(micros(by));
  }

  /** Moves back; 0 or more microseconds. */
  public void back(long byMicros) {
    set(now() - byMicros);
  }

  /** Moves back. */
  public void back(Duration by) {
    back(micros(by));
  }

  static long micros(Duration duration) {
    return Math.addExact(
        Math.multiplyExact(duration.getSeconds(), 1_000_000L), duration.getNano() / 1_000);
  }
}
