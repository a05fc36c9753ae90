package dev.weir.testkit;

import dev.weir.Limit;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A level that drains continuously: the smooth token bucket and the leaky bucket.
 *
 * <p>The level at t is the most that any charge j explains: all permits charged from j on, less
 * what drained since j. It is counted in parts of a permit, as many as the period has microseconds,
 * so that the rate is a whole number of parts each microsecond.
 */
final class ReferenceDrain extends ReferenceLimit {

  private record Parts(long time, BigInteger amount) {}

  private final BigInteger rate;
  private final BigInteger period;
  private final List<Parts> poured = new ArrayList<>();

  /** The greatest of (all poured from j on) + rate x (time of j); the level is it - rate x t. */
  private BigInteger height = BigInteger.ZERO;

  ReferenceDrain(Limit limit, long permits, Duration period) {
    super(limit);
    this.rate = BigInteger.valueOf(permits);
    this.period = BigInteger.valueOf(ManualClock.micros(period));
  }

  private BigInteger level(long time) {
    return height.subtract(rate.multiply(BigInteger.valueOf(time))).max(BigInteger.ZERO);
  }

  private BigInteger parts(long permits) {
    return period.multiply(BigInteger.valueOf(permits));
  }

  @Override
  boolean admits(long time, long permits) {
    return level(time).add(parts(permits)).compareTo(parts(capacity())) <= 0;
  }

  @Override
  long used(long time) {
    return ceil(level(time), period).longValueExact();
  }

  @Override
  void charge(long time, long permits) {
    if (level(time).signum() == 0) {
      poured.clear();
    }
    pour(time, parts(permits));
  }

  private void pour(long time, BigInteger amount) {
    poured.add(new Parts(time, amount));
    BigInteger sum = BigInteger.ZERO;
    height = BigInteger.ZERO;
    for (int j = poured.size() - 1; j >= 0; j--) {
      sum = sum.add(poured.get(j).amount());
      height = height.max(sum.add(rate.multiply(BigInteger.valueOf(poured.get(j).time()))));
    }
  }

  @Override
  boolean canOwe(long time, long permits) {
    return super.canOwe(time, permits) && !isTooMuch(used(time) + permits);
  }

  private boolean isTooMuch(long permits) {
    BigInteger longest = BigInteger.valueOf(Limit.MAX_LIFETIME_MICROS);
    return parts(permits).compareTo(rate.multiply(longest)) >= 0;
  }

  /** What is left of a charge drains until the charge expires. */
  @Override
  boolean refund(long time, long permits, @Nullable Charged charged) {
    BigInteger left = parts(permits);
    if (charged != null) {
      long toCome = Math.max(0, charged.expires() - time);
      left = left.min(rate.multiply(BigInteger.valueOf(toCome)));
    }
    if (left.signum() == 0 || level(time).signum() == 0) {
      return false;
    }
    BigInteger level = level(time);
    poured.clear();
    pour(time, level.subtract(left).max(BigInteger.ZERO));
    return true;
  }

  /**
   * Takes the level as it was at the last write, clamped to this capacity; what was owed beyond the
   * old capacity stays owed. Where the periods differ the fraction of a permit is rounded up to the
   * parts that the reduced new rate counts in.
   */
  @Override
  void takeOver(ReferenceLimit history, long lastWritten) {
    ReferenceDrain old = (ReferenceDrain) history;
    BigInteger divisor = rate.gcd(period);
    BigInteger reduced = period.divide(divisor);
    BigInteger adopted =
        ceil(old.level(lastWritten).multiply(reduced), old.period).multiply(divisor);
    BigInteger before = parts(old.capacity());
    BigInteger owed = adopted.subtract(before).max(BigInteger.ZERO);
    BigInteger level = adopted.min(before).min(parts(capacity())).add(owed);
    boolean forgiven = isTooMuch(level.divide(period).longValueExact());
    pour(lastWritten, forgiven ? parts(capacity()) : level);
  }

  @Override
  void takeOver(long time, long permits) {
    pour(time, parts(Math.min(permits, capacity())));
  }

  private static BigInteger ceil(BigInteger dividend, BigInteger divisor) {
    return dividend.add(divisor).subtract(BigInteger.ONE).divide(divisor);
  }
}
