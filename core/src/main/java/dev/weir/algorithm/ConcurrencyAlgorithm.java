package dev.weir.algorithm;

import dev.weir.Charge;
import dev.weir.Concurrency;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Permits that are held until they are given back, or until their lease ends. */
final class ConcurrencyAlgorithm extends LimitAlgorithm<ConcurrencyState> {

  private static final long[] NONE = {};

  private final long leaseMicros;

  ConcurrencyAlgorithm(Concurrency limit) {
    super(limit.permits());
    this.leaseMicros = Micros.of(limit.lease());
  }

  @Override
  public ConcurrencyState advance(@Nullable LimitState stored, long nowMicros) {
    if (stored == null) {
      return new ConcurrencyState(nowMicros, NONE, NONE);
    }
    long now = Math.max(nowMicros, stored.lastMicros());
    if (stored instanceof ConcurrencyState own) {
      return from(own, firstAfter(own, now - leaseMicros), now);
    }
    ConcurrencyState converted =
        stored.used() == 0
            ? new ConcurrencyState(now, NONE, NONE)
            : new ConcurrencyState(
                now, new long[] {stored.lastMicros()}, new long[] {stored.used()});
    return from(converted, firstAfter(converted, now - leaseMicros), now);
  }

  private static ConcurrencyState from(ConcurrencyState state, int first, long now) {
    return new ConcurrencyState(
        now,
        Arrays.copyOfRange(state.times(), first, state.count()),
        Arrays.copyOfRange(state.permits(), first, state.count()));
  }

  private static int firstAfter(ConcurrencyState state, long micros) {
    int found = Arrays.binarySearch(state.times(), micros + 1);
    return found >= 0 ? found : -found - 1;
  }

  @Override
  public long available(ConcurrencyState state) {
    return isFull(state) ? 0 : Math.max(0, capacity() - state.used());
  }

  /** Whether a charge would need a lease more than may be kept. */
  private static boolean isFull(ConcurrencyState state) {
    int count = state.count();
    return count >= Concurrency.MAX_LEASES && state.times()[count - 1] != state.lastMicros();
  }

  @Override
  public long waitMicros(ConcurrencyState state, long permits) {
    long excess = state.used() - (capacity() - permits);
    int ending = 0;
    for (long freed = state.permits()[0]; freed < excess; freed += state.permits()[ending]) {
      ending++;
    }
    return state.times()[ending] + leaseMicros - state.lastMicros();
  }

  @Override
  public boolean canOwe(ConcurrencyState state, long permits) {
    return super.canOwe(state, permits) && !isFull(state);
  }

  @Override
  public ConcurrencyState charge(ConcurrencyState state, long permits) {
    int count = state.count();
    boolean isNew = count == 0 || state.times()[count - 1] != state.lastMicros();
    long[] times = isNew ? Arrays.copyOf(state.times(), count + 1) : state.times();
    long[] counts = Arrays.copyOf(state.permits(), times.length);
    times[times.length - 1] = state.lastMicros();
    counts[times.length - 1] += permits;
    return new ConcurrencyState(state.lastMicros(), times, counts);
  }

  @Override
  public ConcurrencyState refund(
      ConcurrencyState state, long permits, Charge.@Nullable OfLimit charged) {
    if (charged == null) {
      return withoutNewest(state, permits);
    }
    int lease = Arrays.binarySearch(state.times(), charged.atMicros());
    return lease < 0 ? state : without(state, lease, permits);
  }

  private static ConcurrencyState without(ConcurrencyState state, int lease, long permits) {
    long left = state.permits()[lease] - permits;
    long[] counts = state.permits().clone();
    if (left > 0) {
      counts[lease] = left;
      return new ConcurrencyState(state.lastMicros(), state.times(), counts);
    }
    int count = state.count() - 1;
    long[] times = state.times().clone();
    System.arraycopy(times, lease + 1, times, lease, count - lease);
    System.arraycopy(counts, lease + 1, counts, lease, count - lease);
    return new ConcurrencyState(
        state.lastMicros(), Arrays.copyOf(times, count), Arrays.copyOf(counts, count));
  }

  private static ConcurrencyState withoutNewest(ConcurrencyState state, long permits) {
    ConcurrencyState rest = state;
    for (long left = permits; left > 0 && rest.count() > 0; ) {
      int newest = rest.count() - 1;
      long taken = Math.min(left, rest.permits()[newest]);
      rest = without(rest, newest, taken);
      left -= taken;
    }
    return rest;
  }

  @Override
  public long resetMicros(ConcurrencyState state) {
    int count = state.count();
    return count == 0 ? 0 : state.times()[count - 1] + leaseMicros - state.lastMicros();
  }
}
