package dev.weir.testkit;

import dev.weir.CalendarWindow;
import dev.weir.FixedWindow;
import dev.weir.LeakyBucket;
import dev.weir.Limit;
import dev.weir.SlidingWindowCounter;
import dev.weir.SlidingWindowLog;
import dev.weir.TokenBucket;
import dev.weir.TokenBucket.Refill;
import java.util.ArrayList;
import java.util.List;

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
      case CALENDAR_WINDOW -> new ReferenceFixedWindow((CalendarWindow) limit);
      case SLIDING_WINDOW_LOG -> new ReferenceLog((SlidingWindowLog) limit);
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
