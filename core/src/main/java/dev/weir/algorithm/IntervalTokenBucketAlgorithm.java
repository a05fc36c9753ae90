package dev.weir.algorithm;

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
      return new IntervalState(nowMicros, 0, nowMicros);
    }
    long now = Math.max(nowMicros, stored.lastMicros());
    long anchor = stored instanceof IntervalState own ? own.anchorMicros() : stored.lastMicros();
    long used = Math.min(stored.used(), capacity());
    long periods = (now - anchor) / periodMicros;
    if (periods >= Exact.divCeil(used, refillTokens)) {
      return new IntervalState(now, 0, now);
    }
    return new IntervalState(anchor + periods * periodMicros, used - periods * refillTokens, now);
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
    return new IntervalState(state.anchorMicros(), state.used() + permits, state.lastMicros());
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
