package dev.weir.local;

import dev.weir.Decision;
import dev.weir.algorithm.PolicyAlgorithm;
import dev.weir.algorithm.PolicyState;
import java.util.LinkedHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one part of the hash range, under one lock. The lock is held for the arithmetic of a
 * decision only, never while waiting for anything else.
 *
 * <p>A key is forgotten when its state equals a fresh one, and only then: a full store never makes
 * room by forgetting what was charged. While there is room it is kept for a while longer, so that a
 * clock that steps back does not find it forgotten. Keys that find no room share an overflow state,
 * where all of them together get what one key would.
 */
final class Stripe {

  private static final int SPINS = 64;
  private static final int LOOKED_AT_PER_NEW_KEY = 2;
  private static final int LOOKED_AT_WHEN_FULL = 16;

  /** How long a fresh key is kept while there is room, in microseconds: a minute. */
  private static final long KEPT_FRESH_MICROS = 60_000_000;

  private final ReentrantLock lock = new ReentrantLock();
  // In access order: the entries that were touched longest ago are looked at first.
  private final LinkedHashMap<String, Cell> cells = new LinkedHashMap<>(16, 0.75f, true);
  private final Cell overflow = new Cell();
  private final Stripe[] all;
  private final AtomicInteger kept;
  private final int maxKeys;
  private int neighbour;

  /**
   * Makes a stripe.
   *
   * @param all the stripes of the limiter, this one among them
   * @param kept how many keys all of them have together
   * @param maxKeys how many they may have together
   */
  Stripe(Stripe[] all, AtomicInteger kept, int maxKeys) {
    this.all = all;
    this.kept = kept;
    this.maxKeys = maxKeys;
  }

  Decision decide(
      PolicyAlgorithm algorithm, String key, long permits, boolean charge, long nowMicros) {
    acquire();
    try {
      Cell known = cells.get(key);
      Cell cell = known == null ? unknown(nowMicros) : known;
      PolicyAlgorithm.Outcome outcome = algorithm.decide(cell.state, permits, charge, nowMicros);
      if (outcome.toStore() != null) {
        cell.state = outcome.toStore();
        cell.freshAtMicros =
            outcome.carries()
                ? Math.max(cell.freshAtMicros, outcome.freshAtMicros())
                : outcome.freshAtMicros();
        if (known == null && cell != overflow) {
          cells.put(key, cell);
        }
      } else if (known == null && cell != overflow) {
        kept.decrementAndGet();
      }
      return outcome.decision();
    } finally {
      lock.unlock();
    }
  }

  void reset(String key) {
    acquire();
    try {
      if (cells.remove(key) != null) {
        kept.decrementAndGet();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Spins a little before parking: the lock is held for a fraction of a microsecond. */
  private void acquire() {
    for (int i = 0; i < SPINS; i++) {
      if (lock.tryLock()) {
        return;
      }
      Thread.onSpinWait();
    }
    lock.lock();
  }

  /** A cell for a key that has none: a new one, or the shared one if there is no room. */
  private Cell unknown(long nowMicros) {
    forget(LOOKED_AT_PER_NEW_KEY, nowMicros - KEPT_FRESH_MICROS);
    if (takeRoom()) {
      return new Cell();
    }
    forget(LOOKED_AT_WHEN_FULL, nowMicros);
    neighbour = (neighbour + 1) % all.length;
    all[neighbour].tryForget(nowMicros);
    return takeRoom() ? new Cell() : overflow;
  }

  private boolean takeRoom() {
    if (kept.incrementAndGet() <= maxKeys) {
      return true;
    }
    kept.decrementAndGet();
    return false;
  }

  /** Makes room in another stripe, if nobody is at work there. */
  private void tryForget(long nowMicros) {
    if (lock.tryLock()) {
      try {
        forget(LOOKED_AT_WHEN_FULL, nowMicros);
      } finally {
        lock.unlock();
      }
    }
  }

  /** Forgets some keys that were fresh by that time; the others go to the end of the line. */
  private void forget(int lookedAt, long freshByMicros) {
    for (int i = Math.min(lookedAt, cells.size()); i > 0; i--) {
      String eldest = cells.keySet().iterator().next();
      Cell cell = cells.remove(eldest);
      if (cell != null && cell.freshAtMicros > freshByMicros) {
        cells.put(eldest, cell);
      } else {
        kept.decrementAndGet();
      }
    }
  }

  /** The state of one key. */
  private static final class Cell {
    private @Nullable PolicyState state;
    private long freshAtMicros;
  }
}
