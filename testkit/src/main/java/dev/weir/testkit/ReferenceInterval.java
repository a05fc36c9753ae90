package dev.weir.testkit;

import dev.weir.Limit;
import dev.weir.TokenBucket;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** A token bucket whose tokens arrive together at whole periods after the anchor. */
final class ReferenceInterval extends ReferenceLimit {

  private final long refill;
  private final long period;
  private long anchor;

  ReferenceInterval(TokenBucket bucket) {
    super(bucket);
    this.refill = bucket.refillTokens();
    this.period = ManualClock.micros(bucket.refillPeriod());
  }

  @Override
  long used(long time) {
    long used = 0;
    long arrivals = 0;
    for (Charge charge : charges()) {
      used = afterArrivals(used, arrivals(charge.time()) - arrivals) + charge.permits();
      arrivals = arrivals(charge.time());
    }
    return afterArrivals(used, arrivals(time) - arrivals);
  }

  private long afterArrivals(long used, long arrivals) {
    // ceil(used / refill) arrivals fill the bucket; fewer leave a product below used
    return arrivals >= (used + refill - 1) / refill ? 0 : used - arrivals * refill;
  }

  private long arrivals(long time) {
    return Math.max(0, time - anchor) / period;
  }

  @Override
  void charge(long time, long permits) {
    if (used(time) == 0) {
      charges().clear();
      anchor = time;
    }
    charges().add(new Charge(time, permits));
  }

  @Override
  boolean canOwe(long time, long permits) {
    return super.canOwe(time, permits) && !isTooMuch(used(time) + permits);
  }

  private boolean isTooMuch(long tokens) {
    long arrivals = (tokens + refill - 1) / refill;
    BigInteger micros = BigInteger.valueOf(arrivals).multiply(BigInteger.valueOf(period));
    return micros.compareTo(BigInteger.valueOf(Limit.MAX_LIFETIME_MICROS)) >= 0;
  }

  /** What is left of a charge: what was used after it less what has arrived since. */
  @Override
  boolean refund(long time, long permits, @Nullable Charged charged) {
    long left = permits;
    if (charged != null) {
      long toCome = (Math.max(0, charged.expires() - time) + period - 1) / period;
      long inAll = (charged.used() + refill - 1) / refill;
      left = toCome == 0 ? 0 : Math.min(permits, charged.used() - (inAll - toCome) * refill);
    }
    long given = Math.min(left, used(time));
    if (given > 0) {
      charges().add(new Charge(time, -given));
    }
    return given > 0;
  }

  /** The tokens used stay used, and the next ones arrive a new period after the last arrival. */
  @Override
  void takeOver(ReferenceLimit history, long lastWritten) {
    ReferenceInterval old = (ReferenceInterval) history;
    anchor = old.anchor + old.arrivals(lastWritten) * old.period;
    long used = old.used(lastWritten);
    long owed = Math.max(0, used - old.capacity());
    long kept = Math.min(Math.min(used, old.capacity()), capacity()) + owed;
    charges().add(new Charge(anchor, isTooMuch(kept) ? capacity() : kept));
  }

  @Override
  void takeOver(long time, long permits) {
    anchor = time;
    super.takeOver(time, Math.min(permits, capacity()));
  }
}
