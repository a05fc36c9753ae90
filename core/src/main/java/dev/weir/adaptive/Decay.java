package dev.weir.adaptive;

/**
 * The factor by which a counter has decayed, computed with the four operations of doubles only, so
 * that every machine and language with IEEE 754 doubles has the same bits.
 *
 * <p>Time is in ticks of 100 ms. For a half-life of h ticks and dt ticks: q = floor(dt / h), x =
 * (dt - q h) / h, z = x ln 2 / 8, and 2^-x = (e^-z)^8 with the Taylor polynomial of degree 6 in
 * Horner's form, whose relative error is below 10^-10; then q exact halvings. From 64 half-lives on
 * the factor is 0.
 */
final class Decay {

  /** Microseconds in a tick. */
  static final long TICK_MICROS = 100_000;

  private static final double LN2_EIGHTH = 0.08664339756999316;
  private static final long GONE_AFTER_HALF_LIVES = 64;

  private Decay() {}

  /** The tick of a time. */
  static long tick(long micros) {
    return Math.floorDiv(micros, TICK_MICROS);
  }

  /**
   * The factor.
   *
   * @param ticks how long, 0 or more
   * @param halfLifeTicks the half-life, 1 or more
   */
  static double factor(long ticks, long halfLifeTicks) {
    if (ticks == 0) {
      return 1;
    }
    long halvings = ticks / halfLifeTicks;
    if (halvings >= GONE_AFTER_HALF_LIVES) {
      return 0;
    }
    double x = (double) (ticks - halvings * halfLifeTicks) / (double) halfLifeTicks;
    double z = x * LN2_EIGHTH;
    double p = 1 - z / 6;
    p = 1 - z / 5 * p;
    p = 1 - z / 4 * p;
    p = 1 - z / 3 * p;
    p = 1 - z / 2 * p;
    p = 1 - z * p;
    p = p * p;
    p = p * p;
    p = p * p;
    for (long i = 0; i < halvings; i++) {
      p = p * 0.5;
    }
    return p;
  }
}
