package dev.weir.testkit;

import dev.weir.FixedWindow;
import dev.weir.FixedWindow.Alignment;
import org.jspecify.annotations.Nullable;

/** The charges of one window: that of the first charge, or of the clock. */
final class ReferenceFixedWindow extends ReferenceLimit {

  private final long window;
  private final boolean byClock;
  private long start;

  ReferenceFixedWindow(FixedWindow limit) {
    super(limit);
    this.window = ManualClock.micros(limit.window());
    this.byClock = limit.alignment() == Alignment.CLOCK;
  }

  @Override
  long used(long time) {
    if (time >= start + window) {
      return 0;
    }
    return charges().stream().mapToLong(Charge::permits).sum();
  }

  @Override
  void charge(long time, long permits) {
    if (charges().isEmpty() || time >= start + window) {
      charges().clear();
      start = startOf(time);
    }
    charges().add(new Charge(time, permits));
  }

  @Override
  boolean refund(long time, long permits, @Nullable Charged charged) {
    return time < start + window
        && (charged == null || charged.time() >= start)
        && take(permits, charge -> true);
  }

  private long startOf(long time) {
    return byClock ? Math.floorDiv(time, window) * window : time;
  }

  /** The count stays; a window of the first charge keeps its start, one of the clock moves. */
  @Override
  void takeOver(ReferenceLimit history, long lastWritten) {
    ReferenceFixedWindow old = (ReferenceFixedWindow) history;
    start = byClock ? startOf(lastWritten) : old.start;
    if (old.used(lastWritten) > 0) {
      charges().add(new Charge(lastWritten, old.used(lastWritten)));
    }
  }

  @Override
  void takeOver(long time, long permits) {
    start = startOf(time);
    super.takeOver(time, permits);
  }
}
