package dev.weir;

import java.time.Duration;
import java.util.Objects;

/** The checks that every limit makes of its numbers. */
final class LimitNumbers {

  private LimitNumbers() {}

  static void permits(String what, long value) {
    if (value < 1 || value > Limit.MAX_PERMITS) {
      throw new IllegalArgumentException(
          what + " must be from 1 to " + Limit.MAX_PERMITS + ", and was " + value);
    }
  }

  static void duration(String what, Duration value) {
    Objects.requireNonNull(value, what);
    if (value.compareTo(Limit.MIN_DURATION) < 0 || value.compareTo(Limit.MAX_DURATION) > 0) {
      throw new IllegalArgumentException(
          what
              + " must be from 1 ms to 3653 days (ten years), and was "
              + value
              + "; use a longer or shorter one with more or fewer permits for the same rate");
    }
    if (value.toNanosPart() % 1000 != 0) {
      throw new IllegalArgumentException(
          what + " must be a whole number of microseconds, and was " + value);
    }
  }

  /** Refuses a bucket that would take longer than the longest lifetime to come back to fresh. */
  static void lifetime(String what, Duration lifetime, long capacity) {
    if (lifetime.compareTo(micros(Limit.MAX_LIFETIME_MICROS)) > 0) {
      throw new IllegalArgumentException(
          what
              + " of "
              + capacity
              + " would take "
              + lifetime.toDays()
              + " days at this rate, and the longest that is exact is "
              + micros(Limit.MAX_LIFETIME_MICROS).toDays()
              + " days; use a smaller capacity or a faster rate");
    }
  }

  /** The time that {@code permits} take at {@code ratePermits} per period, rounded up to us. */
  static Duration timeFor(long permits, long ratePermits, Duration period) {
    Duration whole = period.multipliedBy(permits / ratePermits);
    long rest = permits % ratePermits;
    java.math.BigInteger product =
        java.math.BigInteger.valueOf(toMicros(period))
            .multiply(java.math.BigInteger.valueOf(rest))
            .add(java.math.BigInteger.valueOf(ratePermits - 1));
    return whole.plus(
        micros(product.divide(java.math.BigInteger.valueOf(ratePermits)).longValue()));
  }

  static long toMicros(Duration duration) {
    return Math.addExact(
        Math.multiplyExact(duration.getSeconds(), 1_000_000L), duration.getNano() / 1000);
  }

  static Duration micros(long micros) {
    return Duration.of(micros, java.time.temporal.ChronoUnit.MICROS);
  }
}
