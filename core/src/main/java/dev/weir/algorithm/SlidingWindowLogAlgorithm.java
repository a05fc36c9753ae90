package dev.weir.algorithm;

import dev.weir.Charge;
import dev.weir.SlidingWindowLog;
import org.jspecify.annotations.Nullable;

/**
 * The time of every charge. A charge at x counts until just before x + window.
 *
 * <p>Asking costs a binary search, charging costs the same however many entries there are.
 */
final class SlidingWindowLogAlgorithm extends LimitAlgorithm<LogState> {

  /** A refund changes the totals of all later entries; one further back gives nothing. */
  private static final long MOST_REWRITTEN = 2_048;

  private final long windowMicros;
  private final long maxEntries;

  SlidingWindowLogAlgorithm(SlidingWindowLog limit) {
    super(limit.limit());
    this.windowMicros = Micros.of(limit.window());
    this.maxEntries = SlidingWindowLog.MAX_ENTRIES;
  }

  @Override
  public LogState advance(@Nullable LimitState stored, long nowMicros) {
    if (stored == null) {
      return new LogState(nowMicros, new ChargeLog(), 0);
    }
    long now = Math.max(nowMicros, stored.lastMicros());
    ChargeLog log = stored instanceof LogState own ? own.log() : converted(stored);
    return new LogState(now, log, log.firstAfter(now - windowMicros));
  }

  private static ChargeLog converted(LimitState stored) {
    ChargeLog log = new ChargeLog();
    if (stored.used() > 0) {
      log.add(stored.lastMicros(), stored.used());
    }
    return log;
  }

  @Override
  public long available(LogState state) {
    return isFull(state) ? 0 : Math.max(0, capacity() - state.used());
  }

  /** Whether a charge would need an entry more than may be kept. */
  private boolean isFull(LogState state) {
    ChargeLog log = state.log();
    return log.end() - state.firstCounting() >= maxEntries
        && log.time(log.end() - 1) != state.lastMicros();
  }

  @Override
  public long waitMicros(LogState state, long permits) {
    ChargeLog log = state.log();
    long excess = state.used() - (capacity() - permits);
    // A full log with room for the permits waits for its oldest entry alone.
    long leaving =
        excess <= 0 ? state.firstCounting() : log.firstWithTotal(state.totalBefore() + excess);
    return log.time(leaving) + windowMicros - state.lastMicros();
  }

  @Override
  public LogState charge(LogState state, long permits) {
    ChargeLog log = state.log();
    log.dropBefore(state.firstCounting());
    log.add(state.lastMicros(), permits);
    return new LogState(state.lastMicros(), log, log.first());
  }

  @Override
  public LogState refund(LogState state, long permits, Charge.@Nullable OfLimit charged) {
    ChargeLog log = state.log();
    if (charged == null) {
      long given = Math.min(permits, state.used());
      return given == 0 ? state : changed(state, () -> log.takeNewest(given));
    }
    long entry = log.firstAfter(charged.atMicros() - 1);
    if (entry < state.firstCounting()
        || entry == log.end()
        || log.time(entry) != charged.atMicros()
        || log.end() - entry > MOST_REWRITTEN) {
      return state;
    }
    long given = Math.min(permits, log.total(entry) - log.total(entry - 1));
    return given == 0 ? state : changed(state, () -> log.take(entry, given));
  }

  private static LogState changed(LogState state, Runnable change) {
    state.log().dropBefore(state.firstCounting());
    change.run();
    return new LogState(state.lastMicros(), state.log(), state.log().first());
  }

  @Override
  public long resetMicros(LogState state) {
    ChargeLog log = state.log();
    return log.end() == state.firstCounting()
        ? 0
        : log.time(log.end() - 1) + windowMicros - state.lastMicros();
  }
}
