package dev.weir;

import java.time.Duration;

/**
 * What {@link RateLimiter#reserve reserve} answered. Immutable.
 *
 * @param key whose permits are reserved
 * @param id what to settle or cancel it by; the empty text if nothing was reserved
 * @param expiresAfter after what time from the decision it cannot be settled any more; what it took
 *     stays charged then
 * @param decision whether the permits were free, and what is left
 */
public record Reservation(String key, String id, Duration expiresAfter, Decision decision) {

  /** The shortest life of a reservation: one millisecond. */
  public static final Duration MIN_LIFE = Duration.ofMillis(1);

  /** The longest life of a reservation: one day. */
  public static final Duration MAX_LIFE = Duration.ofDays(1);

  /** The most reservations of one key that are not settled yet: 100,000. */
  public static final int MAX_OPEN = 100_000;

  /** Whether the permits are reserved. If not, {@link #decision()} says why. */
  public boolean isHeld() {
    return !id.isEmpty();
  }

  /**
   * Checks the life of a reservation that is asked for.
   *
   * @return it, in microseconds
   * @throws IllegalArgumentException if it is not from {@link #MIN_LIFE} to {@link #MAX_LIFE}
   */
  public static long lifeMicros(Duration expiresAfter) {
    if (expiresAfter.compareTo(MIN_LIFE) < 0 || expiresAfter.compareTo(MAX_LIFE) > 0) {
      throw new IllegalArgumentException(
          "a reservation must expire after 1 ms to 1 day, and was to after " + expiresAfter);
    }
    return LimitNumbers.toMicros(expiresAfter);
  }
}
