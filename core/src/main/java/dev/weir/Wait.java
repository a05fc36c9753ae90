package dev.weir;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * How long a refused caller has to wait: none, a time, or never. An immutable value.
 *
 * <p>"Never" is the answer to a cost that a limit can never hold; it is a value of its own and no
 * number stands for it.
 */
public final class Wait {

  /** No wait: the call was admitted. */
  public static final Wait NONE = new Wait(0, false);

  /** No wait is long enough: the cost is more than a limit can ever hold. */
  public static final Wait NEVER = new Wait(0, true);

  private final long micros;
  private final boolean never;

  private Wait(long micros, boolean never) {
    this.micros = micros;
    this.never = never;
  }

  /**
   * A wait of that many microseconds.
   *
   * @throws IllegalArgumentException if negative
   */
  public static Wait ofMicros(long micros) {
    if (micros < 0) {
      throw new IllegalArgumentException("a wait must be 0 us or more, and was " + micros);
    }
    return micros == 0 ? NONE : new Wait(micros, false);
  }

  /** Whether no wait is long enough. */
  public boolean isNever() {
    return never;
  }

  /** Whether the call was admitted at once. */
  public boolean isNone() {
    return !never && micros == 0;
  }

  /**
   * The exact wait in microseconds.
   *
   * @throws IllegalStateException if the wait is {@link #NEVER}
   */
  public long toMicros() {
    if (never) {
      throw new IllegalStateException("the wait is never; ask isNever() first");
    }
    return micros;
  }

  /**
   * The exact wait.
   *
   * @throws IllegalStateException if the wait is {@link #NEVER}
   */
  public Duration toDuration() {
    return Duration.of(toMicros(), ChronoUnit.MICROS);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Wait wait && wait.micros == micros && wait.never == never;
  }

  @Override
  public int hashCode() {
    return never ? -1 : Long.hashCode(micros);
  }

  @Override
  public String toString() {
    return never ? "never" : toDuration().toString();
  }
}
