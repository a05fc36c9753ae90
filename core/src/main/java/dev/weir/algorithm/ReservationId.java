package dev.weir.algorithm;

import java.security.SecureRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a reservation is known by; for stores. An immutable value.
 *
 * @param isLocal whether a limiter that stands in for the store made it
 * @param number its number among those of its key
 * @param nonce a random number, so that a key that was reset does not take an old id for a new one
 */
public record ReservationId(boolean isLocal, long number, long nonce) {

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final long NONCES = 1L << 48;
  private static final int RADIX = 36;
  private static final Pattern TEXT = Pattern.compile("([rl])([0-9a-z]{1,10})-([0-9a-z]{1,10})");

  /** A nonce: 0 to 2^48 - 1. */
  public static long newNonce() {
    return RANDOM.nextLong(NONCES);
  }

  /**
   * Reads an id.
   *
   * @throws IllegalArgumentException if it is not of the form that {@link #toString} writes
   */
  public static ReservationId parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not the id of a reservation; use the one that reserve() answered");
    }
    return new ReservationId(
        parts.group(1).equals("l"),
        Long.parseLong(parts.group(2), RADIX),
        Long.parseLong(parts.group(3), RADIX));
  }

  @Override
  public String toString() {
    return (isLocal ? "l" : "r") + Long.toString(number, RADIX) + "-" + Long.toString(nonce, RADIX);
  }
}
