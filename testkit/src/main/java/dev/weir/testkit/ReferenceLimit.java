package dev.weir.testkit;

import dev.weir.AlgorithmKind;
import dev.weir.CalendarWindow;
import dev.weir.FixedWindow;
import dev.weir.LeakyBucket;
import dev.weir.Limit;
import dev.weir.SlidingWindowCounter;
import dev.weir.TokenBucket;
import dev.weir.TokenBucket.Refill;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** All that was charged under one limit, and the contract's condition for admitting more. */
abstract class ReferenceLimit {

  /**
   * Permits charged.
   *
   * @param time when
   * @param permits how many
   */
  record Charge(long time, long permits) {}

  private final Limit limit;
  private final List<Charge> charges = new ArrayList<>();

  ReferenceLimit(Limit limit) {
    this.limit = limit;
  }

  static ReferenceLimit fresh(Limit limit) {
    return switch (limit.kind()) {
      case TOKEN_BUCKET -> {
        TokenBucket bucket = (TokenBucket) limit;
        yield bucket.refill() == Refill.SMOOTH
            ? new ReferenceDrain(bucket, bucket.refillTokens(), bucket.refillPeriod())
            : new ReferenceInterval(bucket);
      }
      case LEAKY_BUCKET -> {
        LeakyBucket bucket = (LeakyBucket) limit;
        yield new ReferenceDrain(bucket, bucket.leakPermits(), bucket.leakPeriod());
      }
      case FIXED_WINDOW -> new ReferenceFixedWindow((FixedWindow) limit);
      case SLIDING_WINDOW_LOG, CONCURRENCY -> new ReferenceLog(limit);
      case CALENDAR_WINDOW -> new ReferenceFixedWindow((CalendarWindow) limit);
      case SLIDING_WINDOW_COUNTER -> new ReferenceCounter((SlidingWindowCounter) limit);
    };
  }

  final Limit limit() {
    return limit;
  }

  final long capacity() {
    return limit.capacity();
  }

  final List<Charge> charges() {
    return charges;
  }

  /** Whether permits are held until they are given back. */
  final boolean holds() {
    return limit.kind() == AlgorithmKind.CONCURRENCY;
  }

  /** Whether admitted calls are told to wait for their turn. */
  final boolean shapes() {
    return limit instanceof LeakyBucket bucket && bucket.mode() == LeakyBucket.Mode.SHAPING;
  }

  /** The permits in use at a time not before the last charge, rounded up. */
  abstract long used(long time);

  /** Whether the cost is admitted at a time not before the last charge. */
  boolean admits(long time, long permits) {
    return used(time) + permits <= capacity();
  }

  /** The largest cost that is admitted. */
  final long remaining(long time) {
    return Search.first(0, capacity(), cost -> !admits(time, cost + 1));
  }

  /** Charges permits; a history that counts for nothing any more is forgotten first. */
  void charge(long time, long permits) {
    if (admits(time, capacity())) {
      charges.clear();
    }
    charges.add(new Charge(time, permits));
  }

  /** Whether that much more can be owed. */
  boolean canOwe(long time, long permits) {
    return used(time) + permits <= capacity() + Limit.MAX_PERMITS;
  }

  /**
   * Gives back permits.
   *
   * @param charged what they were charged by, or {@code null} for the newest
   * @return whether any were in use
   */
  abstract boolean refund(long time, long permits, @Nullable Charged charged);

  /**
   * A charge as its answer described it.
   *
   * @param time when
   * @param used what was in use after it, at most the capacity
   * @param expires when nothing is left of it
   */
  record Charged(long time, long used, long expires) {}

  /** Takes permits out of the newest charges that match, and tells whether there were any. */
  final boolean take(long permits, Predicate<Charge> matching) {
    long left = permits;
    for (int i = charges.size() - 1; i >= 0 && left > 0; i--) {
      Charge charge = charges.get(i);
      if (matching.test(charge)) {
        long given = Math.min(left, charge.permits());
        left -= given;
        charges.set(i, new Charge(charge.time(), charge.permits() - given));
      }
    }
    charges.removeIf(charge -> charge.permits() == 0);
    return left < permits;
  }

  /**
   * The history under another limit: of the same algorithm in its own terms, of another one the
   * permits in use at the last write as one charge at that time.
   */
  final ReferenceLimit changedTo(Limit changed, long lastWritten) {
    ReferenceLimit other = fresh(changed);
    if (other.getClass() == getClass()) {
      other.takeOver(this, lastWritten);
    } else if (used(lastWritten) > 0) {
      other.takeOver(lastWritten, used(lastWritten));
    }
    return other;
  }

  /** Takes over the history of the same algorithm with other numbers. */
  abstract void takeOver(ReferenceLimit history, long lastWritten);

  /** Takes over permits in use under another algorithm. */
  void takeOver(long time, long permits) {
    charges.add(new Charge(time, permits));
  }
}
