package dev.weir.local;

import dev.weir.Decision;
import dev.weir.algorithm.PolicyAlgorithm;
import dev.weir.algorithm.PolicyState;
import java.util.LinkedHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one part of the hash range, under one lock. The lock is held for the arithmetic of a
 * decision only, never while waiting for anything else.
 *
 * <p>A key is forgotten when its state equals a fresh one, and only then: a full stripe never makes
 * room by forgetting what was charged. Keys that find no room share an overflow state, where all of
 * them together get what one key would.
 */
final class Stripe {

  private static final int SPINS = 64;
  private static final int LOOKED_AT_PER_NEW_KEY = 2;
  private static final int LOOKED_AT_WHEN_FULL = 16;

  private final ReentrantLock lock = new ReentrantLock();
  // In access order: the entries that were touched longest ago are looked at first.
  private final LinkedHashMap<String, Cell> cells = new LinkedHashMap<>(16, 0.75f, true);
  private final Cell overflow = new Cell();
  private final int maxKeys;

  Stripe(int maxKeys) {
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
        cell.freshAtMicros = outcome.freshAtMicros();
        if (known == null && cell != overflow) {
          cells.put(key, cell);
        }
      }
      return outcome.decision();
    } finally {
      lock.unlock();
    }
  }

  void reset(String key) {
    acquire();
    try {
      cells.remove(key);
    } finally {
      lock.unlock();
    }
  }

  int size() {
    acquire();
    try {
      return cells.size();
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
    forgetFresh(cells.size() < maxKeys ? LOOKED_AT_PER_NEW_KEY : LOOKED_AT_WHEN_FULL, nowMicros);
    return cells.size() < maxKeys ? new Cell() : overflow;
  }

  private void forgetFresh(int lookedAt, long nowMicros) {
    for (int i = 0; i < lookedAt && !cells.isEmpty(); i++) {
      String eldest = cells.keySet().iterator().next();
      Cell cell = cells.remove(eldest);
      if (cell != null && cell.freshAtMicros > nowMicros) {
        cells.put(eldest, cell);
      }
    }
  }

  /** The state of one key. */
  private static final class Cell {
    private @Nullable PolicyState state;
    private long freshAtMicros;
  }
}
