package dev.weir.testkit;

import dev.weir.SlidingWindowCounter;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** This window's charges, and the last window's by the share of it that is still near enough. */
final class ReferenceCounter extends ReferenceLimit {

  private final long window;

  ReferenceCounter(SlidingWindowCounter limit) {
    super(limit);
    this.window = ManualClock.micros(limit.window());
  }

  private long in(long index) {
    long sum = 0;
    for (Charge charge : charges()) {
      sum += Math.floorDiv(charge.time(), window) == index ? charge.permits() : 0;
    }
    return sum;
  }

  /** previous x (window - elapsed) + current x window. */
  private BigInteger weighted(long time) {
    long index = Math.floorDiv(time, window);
    long elapsed = time - index * window;
    return BigInteger.valueOf(in(index - 1))
        .multiply(BigInteger.valueOf(window - elapsed))
        .add(BigInteger.valueOf(in(index)).multiply(BigInteger.valueOf(window)));
  }

  @Override
  boolean admits(long time, long permits) {
    BigInteger whole = BigInteger.valueOf(window);
    return weighted(time)
            .add(BigInteger.valueOf(permits).multiply(whole))
            .compareTo(BigInteger.valueOf(capacity()).multiply(whole))
        <= 0;
  }

  @Override
  long used(long time) {
    BigInteger[] parts = weighted(time).divideAndRemainder(BigInteger.valueOf(window));
    return parts[0].longValueExact() + parts[1].signum();
  }

  @Override
  void charge(long time, long permits) {
    charges()
        .removeIf(charge -> Math.floorDiv(charge.time(), window) < Math.floorDiv(time, window) - 1);
    super.charge(time, permits);
  }

  @Override
  boolean refund(long time, long permits, @Nullable Charged charged) {
    long index = Math.floorDiv(time, window);
    return take(
        permits,
        charge -> {
          long in = Math.floorDiv(charge.time(), window);
          return in >= index - 1
              && (charged == null || in == Math.floorDiv(charged.time(), window));
        });
  }

  /** The counts of the two windows stay the counts of two windows. */
  @Override
  void takeOver(ReferenceLimit history, long lastWritten) {
    ReferenceCounter old = (ReferenceCounter) history;
    long index = Math.floorDiv(lastWritten, old.window);
    charges().add(new Charge(lastWritten - window, old.in(index - 1)));
    charges().add(new Charge(lastWritten, old.in(index)));
  }
}
