package dev.weir.testkit;

import dev.weir.CalendarWindow;
import dev.weir.FixedWindow;
import dev.weir.FixedWindow.Alignment;
import dev.weir.Limit;
import org.jspecify.annotations.Nullable;

/** The charges of one window: that of the first charge, of the clock, or of a calendar. */
final class ReferenceFixedWindow extends ReferenceLimit {

  private final Windows windows;
  private long start;

  /** Where windows start and end. */
  private interface Windows {

    /** The start of a window whose first charge is at that time. */
    long startOf(long time);

    /** Whether a time is in the window that starts there; it is not before it. */
    boolean isIn(long start, long time);

    /** Whether the time of a charge alone says which window it is in. */
    boolean isSameForAll();
  }

  /** Windows of one length. */
  private record Regular(long length, boolean isSameForAll) implements Windows {
    @Override
    public long startOf(long time) {
      return isSameForAll ? Math.floorDiv(time, length) * length : time;
    }

    @Override
    public boolean isIn(long start, long time) {
      return time < start + length;
    }
  }

  /** Windows of a calendar. */
  private record OfCalendar(CalendarWindow limit) implements Windows {
    @Override
    public long startOf(long time) {
      long before = Math.max(0, time - ReferenceCalendar.LONGEST);
      return Search.first(before, time, earlier -> isIn(earlier, time));
    }

    @Override
    public boolean isIn(long start, long time) {
      return ReferenceCalendar.name(limit, start).equals(ReferenceCalendar.name(limit, time));
    }

    @Override
    public boolean isSameForAll() {
      return true;
    }
  }

  ReferenceFixedWindow(FixedWindow limit) {
    this(
        limit,
        new Regular(ManualClock.micros(limit.window()), limit.alignment() == Alignment.CLOCK));
  }

  ReferenceFixedWindow(CalendarWindow limit) {
    this(limit, new OfCalendar(limit));
  }

  private ReferenceFixedWindow(Limit limit, Windows windows) {
    super(limit);
    this.windows = windows;
  }

  @Override
  long used(long time) {
    if (charges().isEmpty() || !windows.isIn(start, time)) {
      return 0;
    }
    return charges().stream().mapToLong(Charge::permits).sum();
  }

  @Override
  void charge(long time, long permits) {
    if (charges().isEmpty() || !windows.isIn(start, time)) {
      charges().clear();
      start = windows.startOf(time);
    }
    charges().add(new Charge(time, permits));
  }

  @Override
  boolean refund(long time, long permits, @Nullable Charged charged) {
    return windows.isIn(start, time)
        && (charged == null || charged.time() >= start)
        && take(permits, charge -> true);
  }

  /** The count stays; a window of the first charge keeps its start, any other moves. */
  @Override
  void takeOver(ReferenceLimit history, long lastWritten) {
    ReferenceFixedWindow old = (ReferenceFixedWindow) history;
    start = windows.isSameForAll() ? windows.startOf(lastWritten) : old.start;
    if (old.used(lastWritten) > 0) {
      charges().add(new Charge(lastWritten, old.used(lastWritten)));
    }
  }

  @Override
  void takeOver(long time, long permits) {
    start = windows.startOf(time);
    super.takeOver(time, permits);
  }
}
