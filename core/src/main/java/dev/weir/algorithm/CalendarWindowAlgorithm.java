package dev.weir.algorithm;

import dev.weir.CalendarWindow;
import dev.weir.Charge;
import org.jspecify.annotations.Nullable;

/**
 * A count that starts anew with each window of a calendar. The time of the last charge tells which
 * window the count is of; the stored start is for other algorithms.
 */
final class CalendarWindowAlgorithm extends LimitAlgorithm<WindowState> {

  private final CalendarWindows windows;

  CalendarWindowAlgorithm(CalendarWindow limit) {
    super(limit.limit());
    this.windows = new CalendarWindows(limit);
  }

  @Override
  public WindowState advance(@Nullable LimitState stored, long nowMicros) {
    if (stored == null) {
      return new WindowState(nowMicros, windows.at(nowMicros).startMicros(), 0);
    }
    long now = Math.max(nowMicros, stored.lastMicros());
    long start = windows.at(now).startMicros();
    return new WindowState(now, start, stored.lastMicros() >= start ? stored.used() : 0);
  }

  @Override
  public long available(WindowState state) {
    return Math.max(0, capacity() - state.used());
  }

  @Override
  public long waitMicros(WindowState state, long permits) {
    return windows.at(state.lastMicros()).endMicros() - state.lastMicros();
  }

  @Override
  public WindowState charge(WindowState state, long permits) {
    return new WindowState(state.lastMicros(), state.startMicros(), state.used() + permits);
  }

  @Override
  public WindowState refund(WindowState state, long permits, Charge.@Nullable OfLimit charged) {
    boolean counts = charged == null || charged.atMicros() >= state.startMicros();
    long given = counts ? Math.min(permits, state.used()) : 0;
    return given == 0
        ? state
        : new WindowState(state.lastMicros(), state.startMicros(), state.used() - given);
  }

  @Override
  public long resetMicros(WindowState state) {
    return state.used() == 0 ? 0 : waitMicros(state, 0);
  }
}
