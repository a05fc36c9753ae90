package dev.weir.local;

import dev.weir.Charge;
import dev.weir.Decision;
import dev.weir.Reservation;
import dev.weir.Settlement;
import dev.weir.algorithm.PolicyAlgorithm;
import dev.weir.algorithm.PolicyState;
import dev.weir.algorithm.ReservationId;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
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

  private static final AtomicLong NUMBERS = new AtomicLong();

  private final long number = NUMBERS.getAndIncrement();
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

  /** What a call does to a key's state. */
  interface Step {
    PolicyAlgorithm.Outcome of(@Nullable PolicyState stored);
  }

  Decision decide(String key, long nowMicros, Step step) {
    acquire();
    try {
      Cell known = cells.get(key);
      Cell cell = known == null ? unknown(nowMicros) : known;
      Decision decision = cell.take(step);
      keepIfUsed(key, known, cell);
      return decision;
    } finally {
      lock.unlock();
    }
  }

  /** Takes permits and notes them down as a reservation. */
  Reservation reserve(
      PolicyAlgorithm algorithm, String key, long permits, long lifeMicros, long nowMicros) {
    acquire();
    try {
      Cell known = cells.get(key);
      Cell cell = known == null ? unknown(nowMicros) : known;
      long full = cell.reservations == null ? 0 : cell.reservations.fullForMicros(nowMicros);
      Decision decision =
          cell.take(stored -> algorithm.decide(stored, permits, true, full, nowMicros));
      String id = decision.charge().map(it -> cell.note(it, nowMicros, lifeMicros)).orElse("");
      keepIfUsed(key, known, cell);
      return new Reservation(key, id, Duration.of(lifeMicros, ChronoUnit.MICROS), decision);
    } finally {
      lock.unlock();
    }
  }

  /** Ends a reservation, which is with the key or, if there was no room for it, with the others. */
  Settlement settle(
      PolicyAlgorithm algorithm, String key, ReservationId id, long permits, long nowMicros) {
    acquire();
    try {
      Cell known = cells.get(key);
      for (Cell cell : known == null ? List.of(overflow) : List.of(known, overflow)) {
        Charge charge = cell.open(id, nowMicros);
        if (charge != null) {
          Decision decision =
              cell.take(stored -> algorithm.settle(stored, charge, permits, nowMicros));
          return new Settlement(true, decision.permits(), decision);
        }
      }
      PolicyState stored = known == null ? null : known.state;
      return new Settlement(false, 0, algorithm.refund(stored, 0, null, nowMicros).decision());
    } finally {
      lock.unlock();
    }
  }

  /** Keeps a new cell that holds something; the room of one that does not is free again. */
  private void keepIfUsed(String key, @Nullable Cell known, Cell cell) {
    if (known != null || cell == overflow) {
      return;
    }
    if (cell.state == null) {
      kept.decrementAndGet();
    } else {
      cells.put(key, cell);
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

  /** The place of this stripe in the order in which several are locked. */
  long number() {
    return number;
  }

  /** Locks it for several steps in a row. */
  void lock() {
    acquire();
  }

  void unlock() {
    lock.unlock();
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
      if (cell != null && cell.neededUntilMicros() > freshByMicros) {
        cells.put(eldest, cell);
      } else {
        kept.decrementAndGet();
      }
    }
  }

  /** The state of one key. */
  private static final class Cell {
    private @Nullable PolicyState state;
    private @Nullable Reservations reservations;
    private long freshAtMicros;

    Decision take(Step step) {
      PolicyAlgorithm.Outcome outcome = step.of(state);
      if (outcome.toStore() != null) {
        state = outcome.toStore();
        freshAtMicros =
            outcome.carries()
                ? Math.max(freshAtMicros, outcome.freshAtMicros())
                : outcome.freshAtMicros();
      }
      return outcome.decision();
    }

    /** Notes a charge down, and returns the id to settle it by. */
    String note(Charge charge, long nowMicros, long lifeMicros) {
      if (reservations == null) {
        reservations = new Reservations();
      }
      long nonce = ReservationId.newNonce();
      long number = reservations.add(nonce, nowMicros, lifeMicros, charge);
      return new ReservationId(false, number, nonce).toString();
    }

    @Nullable Charge open(ReservationId id, long nowMicros) {
      return reservations == null ? null : reservations.remove(id.number(), id.nonce(), nowMicros);
    }

    long neededUntilMicros() {
      return reservations == null
          ? freshAtMicros
          : Math.max(freshAtMicros, reservations.latestExpiryMicros());
    }
  }
}
