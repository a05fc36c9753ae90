package dev.weir.testkit;

import dev.weir.Limit;
import org.jspecify.annotations.Nullable;

/** Every charge counts for exactly one window, and every permit is held for at most one lease. */
final class ReferenceLog extends ReferenceLimit {

  private final long window;

  ReferenceLog(Limit limit) {
    super(limit);
    this.window = ManualClock.micros(limit.quotaWindow());
  }

  @Override
  long used(long time) {
    long used = 0;
    for (Charge charge : charges()) {
      used += charge.time() > time - window ? charge.permits() : 0;
    }
    return used;
  }

  @Override
  void charge(long time, long permits) {
    charges().removeIf(charge -> charge.time() <= time - window);
    super.charge(time, permits);
  }

  @Override
  boolean refund(long time, long permits, @Nullable Charged charged) {
    return take(
        permits,
        charge ->
            charge.time() > time - window && (charged == null || charge.time() == charged.time()));
  }

  /** The charges that counted at the last write keep their times. */
  @Override
  void takeOver(ReferenceLimit history, long lastWritten) {
    ReferenceLog old = (ReferenceLog) history;
    if (old.limit().kind() != limit().kind()) {
      if (old.used(lastWritten) > 0) {
        takeOver(lastWritten, old.used(lastWritten));
      }
      return;
    }
    for (Charge charge : old.charges()) {
      if (charge.time() > lastWritten - old.window) {
        charges().add(charge);
      }
    }
  }
}
