package dev.weir.algorithm;

import dev.weir.Charge;
import dev.weir.FixedWindow;
import dev.weir.FixedWindow.Alignment;
import org.jspecify.annotations.Nullable;

/** A count that starts anew with each window. */
final class FixedWindowAlgorithm extends LimitAlgorithm<WindowState> {

  private final long windowMicros;
  private final Alignment alignment;

  FixedWindowAlgorithm(FixedWindow limit) {
    super(limit.limit());
    this.windowMicros = Micros.of(limit.window());
    this.alignment = limit.alignment();
  }

  @Override
  public WindowState advance(@Nullable LimitState stored, long nowMicros) {
    if (stored == null) {
      return new WindowState(nowMicros, start(nowMicros), 0);
    }
    long now = Math.max(nowMicros, stored.lastMicros());
    long start = storedStart(stored);
    // A window of which all was given back has not started.
    if (now - start >= windowMicros || stored.used() == 0) {
      return new WindowState(now, start(now), 0);
    }
    return new WindowState(now, start, stored.used());
  }

  /** The start of the window that the stored charges count in. */
  private long storedStart(LimitState stored) {
    return switch (alignment) {
      case FIRST_CHARGE ->
          stored instanceof WindowState window ? window.startMicros() : stored.lastMicros();
      case CLOCK -> start(stored.lastMicros());
    };
  }

  private long start(long micros) {
    return switch (alignment) {
      case FIRST_CHARGE -> micros;
      case CLOCK -> micros - micros % windowMicros;
    };
  }

  @Override
  public long available(WindowState state) {
    return Math.max(0, capacity() - state.used());
  }

  @Override
  public long waitMicros(WindowState state, long permits) {
    return state.startMicros() + windowMicros - state.lastMicros();
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
    return state.used() == 0 ? 0 : state.startMicros() + windowMicros - state.lastMicros();
  }
}
