package dev.weir.algorithm;

import dev.weir.Charge;
import dev.weir.Limit;
import dev.weir.TokenBucket;
import org.jspecify.annotations.Nullable;

/**
 * A token bucket whose tokens arrive together at each whole period after its first charge. A bucket
 * that is full again is a fresh one: its next charge is the new anchor.
 */
final class IntervalTokenBucketAlgorithm extends LimitAlgorithm<IntervalState> {

  private final long refillTokens;
  private final long periodMicros;

  IntervalTokenBucketAlgorithm(TokenBucket bucket) {
    super(bucket.capacity());
    this.refillTokens = bucket.refillTokens();
    this.periodMicros = Micros.of(bucket.refillPeriod());
  }

  @Override
  public IntervalState advance(@Nullable LimitState stored, long nowMicros) {
    if (stored == null) {
      return state(nowMicros, 0, nowMicros);
    }
    long now = Math.max(nowMicros, stored.lastMicros());
    long anchor = stored instanceof IntervalState own ? own.anchorMicros() : stored.lastMicros();
    long used = adopt(stored);
    long periods = (now - anchor) / periodMicros;
    if (periods >= Exact.divCeil(used, refillTokens)) {
      return state(now, 0, now);
    }
    return state(anchor + periods * periodMicros, used - periods * refillTokens, now);
  }

  private IntervalState state(long anchor, long used, long now) {
    return new IntervalState(anchor, used, capacity(), now);
  }

  /** What was used within the old capacity, clamped to the new one, and what was owed beyond it. */
  private long adopt(LimitState stored) {
    long before = stored instanceof IntervalState own ? own.capacity() : Long.MAX_VALUE;
    long owed = Math.max(0, stored.used() - before);
    long used = Math.min(Math.min(stored.used(), before), capacity()) + owed;
    return isTooMuch(used) ? capacity() : used;
  }

  /** Whether so many tokens would take longer to arrive than any state may last. */
  private boolean isTooMuch(long tokens) {
    return (double) Exact.divCeil(tokens, refillTokens) * periodMicros >= Limit.MAX_LIFETIME_MICROS;
  }

  @Override
  public boolean canOwe(IntervalState state, long permits) {
    return super.canOwe(state, permits) && !isTooMuch(state.used() + permits);
  }

  @Override
  public IntervalState refund(IntervalState state, long permits, Charge.@Nullable OfLimit charged) {
    long given = Math.min(charged == null ? permits : left(state, permits, charged), state.used());
    if (given <= 0) {
      return state;
    }
    long used = state.used() - given;
    return state(used == 0 ? state.lastMicros() : state.anchorMicros(), used, state.lastMicros());
  }

  /** What is left of a charge: what was used after it, less what has arrived since. */
  private long left(IntervalState state, long permits, Charge.OfLimit charged) {
    long periods =
        Exact.divCeil(Math.max(0, charged.expiresAtMicros() - state.lastMicros()), periodMicros);
    long arrived = (Exact.divCeil(charged.used(), refillTokens) - periods) * refillTokens;
    return periods == 0 ? 0 : Math.min(permits, charged.used() - arrived);
  }

  @Override
  public long available(IntervalState state) {
    return Math.max(0, capacity() - state.used());
  }

  @Override
  public long waitMicros(IntervalState state, long permits) {
    return arrivalMicros(state, state.used() - (capacity() - permits));
  }

  @Override
  public IntervalState charge(IntervalState state, long permits) {
    return state(state.anchorMicros(), state.used() + permits, state.lastMicros());
  }

  @Override
  public long resetMicros(IntervalState state) {
    return arrivalMicros(state, state.used());
  }

  /** How long until that many more tokens have arrived. */
  private long arrivalMicros(IntervalState state, long tokens) {
    if (tokens <= 0) {
      return 0;
    }
    return state.anchorMicros()
        + Exact.divCeil(tokens, refillTokens) * periodMicros
        - state.lastMicros();
  }
}
