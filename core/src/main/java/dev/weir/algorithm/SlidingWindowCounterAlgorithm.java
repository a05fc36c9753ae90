package dev.weir.algorithm;

import dev.weir.Charge;
import dev.weir.SlidingWindowCounter;
import org.jspecify.annotations.Nullable;

/**
 * Two counts in windows aligned to the clock, of which the previous one counts by the share of it
 * that is less than a window ago: {@code previous x (window - elapsed) / window}, rounded up.
 */
final class SlidingWindowCounterAlgorithm extends LimitAlgorithm<CounterState> {

  private final long windowMicros;

  SlidingWindowCounterAlgorithm(SlidingWindowCounter limit) {
    super(limit.limit());
    this.windowMicros = Micros.of(limit.window());
  }

  @Override
  public CounterState advance(@Nullable LimitState stored, long nowMicros) {
    if (stored == null) {
      return state(nowMicros, 0, 0);
    }
    long now = Math.max(nowMicros, stored.lastMicros());
    boolean own = stored instanceof CounterState;
    long current = own ? ((CounterState) stored).current() : stored.used();
    long previous = own ? ((CounterState) stored).previous() : 0;
    long windows = now / windowMicros - stored.lastMicros() / windowMicros;
    if (windows == 0) {
      return state(now, current, previous);
    }
    return windows == 1 ? state(now, 0, current) : state(now, 0, 0);
  }

  private CounterState state(long now, long current, long previous) {
    long left = windowMicros - now % windowMicros;
    return new CounterState(now, current, previous, Exact.mulDivCeil(left, previous, windowMicros));
  }

  @Override
  public long available(CounterState state) {
    return Math.max(0, capacity() - state.used());
  }

  @Override
  public long waitMicros(CounterState state, long permits) {
    long elapsed = state.lastMicros() % windowMicros;
    long room = capacity() - permits - state.current();
    if (room >= 0) {
      return carriedDownTo(state.previous(), room) - elapsed;
    }
    return windowMicros - elapsed + carriedDownTo(state.current(), capacity() - permits);
  }

  /** How far into a window the previous one carries no more than that; at most the window. */
  private long carriedDownTo(long previous, long carried) {
    return previous <= carried
        ? 0
        : windowMicros - Exact.mulDivFloor(windowMicros, carried, previous);
  }

  @Override
  public CounterState charge(CounterState state, long permits) {
    return new CounterState(
        state.lastMicros(), state.current() + permits, state.previous(), state.carried());
  }

  @Override
  public CounterState refund(CounterState state, long permits, Charge.@Nullable OfLimit charged) {
    long windows =
        charged == null ? 0 : state.lastMicros() / windowMicros - charged.atMicros() / windowMicros;
    long fromCurrent = windows == 0 ? Math.min(permits, state.current()) : 0;
    long rest = charged == null ? permits - fromCurrent : windows == 1 ? permits : 0;
    long fromPrevious = Math.min(rest, state.previous());
    return fromCurrent + fromPrevious == 0
        ? state
        : state(state.lastMicros(), state.current() - fromCurrent, state.previous() - fromPrevious);
  }

  @Override
  public long resetMicros(CounterState state) {
    long toEnd = windowMicros - state.lastMicros() % windowMicros;
    if (state.current() > 0) {
      return toEnd + windowMicros;
    }
    return state.previous() > 0 ? toEnd : 0;
  }
}
