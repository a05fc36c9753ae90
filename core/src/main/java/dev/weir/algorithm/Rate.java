package dev.weir.algorithm;

import java.time.Duration;

/**
 * A rate in lowest terms: {@code permits} in each {@code periodMicros}.
 *
 * @param permits whole permits, 1 or more
 * @param periodMicros whole microseconds, 1 or more
 */
public record Rate(long permits, long periodMicros) {

  /** The rate of so many permits per period, in lowest terms. */
  public static Rate reduced(long permits, Duration period) {
    long micros = Micros.of(period);
    long divisor = Exact.gcd(permits, micros);
    return new Rate(permits / divisor, micros / divisor);
  }
}
