package dev.weir.testkit;

import dev.weir.TokenBucket;

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

  /** The tokens used stay used, and the next ones arrive a new period after the last arrival. */
  @Override
  void takeOver(ReferenceLimit history, long lastWritten) {
    ReferenceInterval old = (ReferenceInterval) history;
    anchor = old.anchor + old.arrivals(lastWritten) * old.period;
    charges().add(new Charge(anchor, Math.min(old.used(lastWritten), capacity())));
  }

  @Override
  void takeOver(long time, long permits) {
    anchor = time;
    super.takeOver(time, Math.min(permits, capacity()));
  }
}
