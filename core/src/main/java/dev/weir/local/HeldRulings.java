package dev.weir.local;

import dev.weir.adaptive.Precedence;
import dev.weir.adaptive.RulingSet;

/**
 * Rulings made ready for calls, for as long as none of them begins or ends. Safe for use by several
 * threads: whoever comes first after a change makes them ready again.
 */
public final class HeldRulings {

  private record Ready(RulingSet rulings, Precedence precedence, long fromMicros, long toMicros) {}

  private volatile Ready ready;

  /** Holds a set. */
  public HeldRulings(RulingSet rulings) {
    this.ready = unready(rulings);
  }

  /** Swaps the set for another one, which the next call makes ready. */
  public synchronized void swap(RulingSet rulings) {
    ready = unready(rulings);
  }

  private static Ready unready(RulingSet rulings) {
    return new Ready(rulings, Precedence.standard(), Long.MAX_VALUE, Long.MIN_VALUE);
  }

  /** The set. */
  public RulingSet rulings() {
    return ready.rulings;
  }

  /** What holds at a time. */
  public Precedence at(long nowMicros) {
    Ready current = ready;
    if (nowMicros < current.fromMicros || nowMicros >= current.toMicros) {
      return renewed(nowMicros).precedence;
    }
    return current.precedence;
  }

  private synchronized Ready renewed(long nowMicros) {
    ready = ready(ready.rulings, nowMicros);
    return ready;
  }

  private static Ready ready(RulingSet rulings, long nowMicros) {
    return new Ready(
        rulings,
        rulings.at(nowMicros),
        nowMicros,
        rulings.nextChangeMicros(nowMicros).orElse(Long.MAX_VALUE));
  }
}
