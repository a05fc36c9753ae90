package dev.weir.algorithm;

import dev.weir.Charge;
import dev.weir.LeakyBucket;
import dev.weir.Limit;
import dev.weir.TokenBucket;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A level of used permits that drains continuously at {@code drained} permits each {@code period}.
 *
 * <p>It is the leaky bucket, and it is the smooth token bucket too: earned tokens are what the
 * level leaves free. The rate is reduced to lowest terms, and the level counts in parts of a
 * permit, {@code period} parts to one, of which exactly {@code drained} go in each microsecond; so
 * nothing is ever rounded but the waits, up, to whole microseconds.
 */
final class DrainAlgorithm extends LimitAlgorithm<DrainState> {

  private final long drained;
  private final long periodMicros;
  private final boolean shaping;

  private DrainAlgorithm(long capacity, long permits, Duration period, boolean shaping) {
    super(capacity);
    Rate rate = Rate.reduced(permits, period);
    this.drained = rate.permits();
    this.periodMicros = rate.periodMicros();
    this.shaping = shaping;
  }

  static DrainAlgorithm of(TokenBucket bucket) {
    return new DrainAlgorithm(
        bucket.capacity(), bucket.refillTokens(), bucket.refillPeriod(), false);
  }

  static DrainAlgorithm of(LeakyBucket bucket) {
    return new DrainAlgorithm(
        bucket.capacity(),
        bucket.leakPermits(),
        bucket.leakPeriod(),
        bucket.mode() == LeakyBucket.Mode.SHAPING);
  }

  @Override
  public DrainState advance(@Nullable LimitState stored, long nowMicros) {
    if (stored == null) {
      return state(nowMicros, 0, 0);
    }
    long now = Math.max(nowMicros, stored.lastMicros());
    DrainState level = stored instanceof DrainState drain ? adopt(drain) : converted(stored);
    long elapsed = now - level.lastMicros();
    if (elapsed >= drainMicros(level.whole(), level.fraction())) {
      return state(now, 0, 0);
    }
    // elapsed * drained = gone * period + parts, below the level since it is not drained yet
    long gone = Exact.mulDivFloor(elapsed, drained, periodMicros);
    long whole = level.whole() - gone;
    long fraction = level.fraction() - (elapsed * drained - gone * periodMicros);
    return fraction < 0
        ? state(now, whole - 1, fraction + periodMicros)
        : state(now, whole, fraction);
  }

  /**
   * The level in this limit's parts, rounded up. What was used within the old capacity is clamped
   * to the new one; what was owed beyond it stays owed.
   */
  private DrainState adopt(DrainState stored) {
    long whole = stored.whole();
    long fraction = stored.fraction();
    if (stored.denominator() != periodMicros) {
      fraction = Exact.mulDivCeil(fraction, periodMicros, stored.denominator());
      if (fraction == periodMicros) {
        fraction = 0;
        whole++;
      }
    }
    if (whole >= stored.capacity()) {
      whole += Math.min(stored.capacity(), capacity()) - stored.capacity();
    } else if (whole >= capacity()) {
      return state(stored.lastMicros(), capacity(), 0);
    }
    return isTooMuch(whole)
        ? state(stored.lastMicros(), capacity(), 0)
        : state(stored.lastMicros(), whole, fraction);
  }

  /** Whether a level would take longer to drain than any state may last; the scripts agree. */
  private boolean isTooMuch(long whole) {
    return (double) whole * periodMicros / drained >= Limit.MAX_LIFETIME_MICROS;
  }

  @Override
  public boolean canOwe(DrainState state, long permits) {
    return super.canOwe(state, permits) && !isTooMuch(state.used() + permits);
  }

  @Override
  public DrainState refund(DrainState state, long permits, Charge.@Nullable OfLimit charged) {
    long whole = permits;
    long fraction = 0;
    if (charged != null) {
      // What is left of the charge is what drains until it would all have drained.
      long left = Math.max(0, charged.expiresAtMicros() - state.lastMicros());
      long leftWhole = Exact.mulDivFloor(left, drained, periodMicros);
      if (leftWhole < permits) {
        whole = leftWhole;
        fraction = left * drained - leftWhole * periodMicros;
      }
    }
    boolean isNothing = whole + fraction == 0 || state.used() == 0;
    return isNothing ? state : lowered(state, whole, fraction);
  }

  private DrainState lowered(DrainState state, long whole, long fraction) {
    long lowered = state.whole() - whole;
    long rest = state.fraction() - fraction;
    if (rest < 0) {
      lowered--;
      rest += periodMicros;
    }
    return lowered < 0 ? state(state.lastMicros(), 0, 0) : state(state.lastMicros(), lowered, rest);
  }

  private DrainState converted(LimitState stored) {
    return state(stored.lastMicros(), Math.min(stored.used(), capacity()), 0);
  }

  private DrainState state(long lastMicros, long whole, long fraction) {
    return new DrainState(lastMicros, whole, fraction, periodMicros, capacity());
  }

  @Override
  public long available(DrainState state) {
    return Math.max(0, capacity() - state.used());
  }

  @Override
  public long waitMicros(DrainState state, long permits) {
    return drainMicros(state.whole() - (capacity() - permits), state.fraction());
  }

  @Override
  public DrainState charge(DrainState state, long permits) {
    return state(state.lastMicros(), state.whole() + permits, state.fraction());
  }

  @Override
  public long resetMicros(DrainState state) {
    return drainMicros(state.whole(), state.fraction());
  }

  @Override
  public long delayMicros(DrainState state) {
    return shaping ? resetMicros(state) : 0;
  }

  /** ceil((whole x period + fraction) / drained): how long that level takes to drain. */
  private long drainMicros(long whole, long fraction) {
    long quotient = Exact.mulDivFloor(whole, periodMicros, drained);
    long parts = whole * periodMicros - quotient * drained;
    return quotient + Exact.divCeil(parts + fraction, drained);
  }
}
