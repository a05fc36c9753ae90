package dev.weir.algorithm;

/**
 * A level of used permits that drains continuously: {@code whole + fraction / denominator}.
 *
 * @param lastMicros when the level was so
 * @param whole whole permits
 * @param fraction the rest, in parts of a permit, 0 to denominator - 1
 * @param denominator how many parts make a permit: the reduced period in microseconds
 * @param capacity the capacity it was charged under; what is above it is owed
 */
record DrainState(long lastMicros, long whole, long fraction, long denominator, long capacity)
    implements LimitState {

  @Override
  public long used() {
    return whole + (fraction > 0 ? 1 : 0);
  }
}
