package dev.weir.algorithm;

/** Products and quotients that do not fit 64 bits on the way. */
final class Exact {

  private Exact() {}

  /**
   * floor(a x b / c) for a, b >= 0 and c > 0, exact whatever the product.
   *
   * <p>The quotient must be below 2^62. The remainder is {@code a * b - quotient * c} in plain
   * wrapping arithmetic, since it is below c.
   */
  static long mulDivFloor(long a, long b, long c) {
    if (Math.multiplyHigh(a, b) == 0 && a * b >= 0) {
      return a * b / c;
    }
    // Doubling: a / c is kept as quotient and remainder, doubled for each bit of b.
    long quotient = 0;
    long remainder = 0;
    long partQuotient = a / c;
    long partRemainder = a % c;
    for (long bits = b; ; ) {
      if ((bits & 1) != 0) {
        quotient += partQuotient;
        remainder += partRemainder;
        if (remainder >= c) {
          remainder -= c;
          quotient++;
        }
      }
      bits >>= 1;
      if (bits == 0) {
        return quotient;
      }
      partQuotient <<= 1;
      partRemainder <<= 1;
      if (partRemainder >= c) {
        partRemainder -= c;
        partQuotient++;
      }
    }
  }

  /** ceil(a x b / c), under the same conditions. */
  static long mulDivCeil(long a, long b, long c) {
    long floor = mulDivFloor(a, b, c);
    return a * b - floor * c > 0 ? floor + 1 : floor;
  }

  /** ceil(a / b) for a >= 0 and b > 0. */
  static long divCeil(long a, long b) {
    return a / b + (a % b > 0 ? 1 : 0);
  }

  static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }
}
