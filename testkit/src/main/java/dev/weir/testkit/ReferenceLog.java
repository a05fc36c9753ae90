package dev.weir.testkit;

import dev.weir.SlidingWindowLog;

/** Every charge counts for exactly one window. */
final class ReferenceLog extends ReferenceLimit {

  private final long window;

  ReferenceLog(SlidingWindowLog limit) {
    super(limit);
    this.window = ManualClock.micros(limit.window());
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

  /** The charges that counted at the last write keep their times. */
  @Override
  void takeOver(ReferenceLimit history, long lastWritten) {
    ReferenceLog old = (ReferenceLog) history;
    for (Charge charge : old.charges()) {
      if (charge.time() > lastWritten - old.window) {
        charges().add(charge);
      }
    }
  }
}
