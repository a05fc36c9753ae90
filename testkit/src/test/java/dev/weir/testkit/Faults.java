package dev.weir.testkit;

import dev.weir.CalendarWindow;
import dev.weir.Concurrency;
import dev.weir.Decision;
import dev.weir.FixedWindow;
import dev.weir.LeakyBucket;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.SlidingWindowCounter;
import dev.weir.SlidingWindowLog;
import dev.weir.TokenBucket;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;

/** Ways to break a limiter that the checkers must find out. */
final class Faults {

  private Faults() {}

  /** Says something else than is so. */
  static RateLimiter saying(RateLimiter intact, BrokenLimiter.Part part, LongUnaryOperator lie) {
    return new BrokenLimiter(intact) {
      @Override
      public Decision tryAcquire(String key, long permits) {
        return altered(intact().tryAcquire(key, permits), part, lie);
      }

      @Override
      public Decision peek(String key, long permits) {
        return altered(intact().peek(key, permits), part, lie);
      }
    };
  }

  /** A refusal takes one permit, if there is one. */
  static RateLimiter chargingRefusals(RateLimiter intact) {
    return new BrokenLimiter(intact) {
      @Override
      public Decision tryAcquire(String key, long permits) {
        Decision decision = intact().tryAcquire(key, permits);
        if (!decision.allowed()) {
          intact().tryAcquire(key, 1);
        }
        return decision;
      }
    };
  }

  /** A look charges. */
  static RateLimiter chargingPeeks(RateLimiter intact) {
    return new BrokenLimiter(intact) {
      @Override
      public Decision peek(String key, long permits) {
        return intact().tryAcquire(key, permits);
      }
    };
  }

  /** A cost of 0 is taken for 1. */
  static RateLimiter chargingNothing(RateLimiter intact) {
    return new BrokenLimiter(intact) {
      @Override
      public Decision tryAcquire(String key, long permits) {
        return intact().tryAcquire(key, Math.max(1, permits));
      }
    };
  }

  /** Calls of one instant are charged once. */
  static RateLimiter collapsingInstants(RateLimiter intact, ManualClock clock) {
    return new BrokenLimiter(intact) {
      private final Map<String, Long> last = new HashMap<>();

      @Override
      public Decision tryAcquire(String key, long permits) {
        Long charged = last.put(key, clock.now());
        return charged != null && charged == clock.now()
            ? intact().peek(key, Math.min(permits, 1))
            : intact().tryAcquire(key, permits);
      }
    };
  }

  /** Two nodes that do not know of each other take the calls in turn. */
  static RateLimiter countingApart(RateLimiter intact) {
    return new BrokenLimiter(intact) {
      private int turn;

      @Override
      public Decision tryAcquire(String key, long permits) {
        return intact().tryAcquire(turn++ % 2 == 0 ? key : key + "'", permits);
      }
    };
  }

  /** State goes back in time with the clock: what was charged is then forgotten. */
  static RateLimiter followingTheClockBack(RateLimiter intact, ManualClock clock) {
    return new BrokenLimiter(intact) {
      private final Map<String, Long> last = new HashMap<>();

      @Override
      public Decision tryAcquire(String key, long permits) {
        Long before = last.put(key, clock.now());
        if (before != null && before > clock.now()) {
          intact().reset(key);
        }
        return intact().tryAcquire(key, permits);
      }
    };
  }

  /** A changed policy starts everybody afresh. */
  static RateLimiter refillingOnChange(RateLimiter intact) {
    return new BrokenLimiter(intact) {
      private String generation = "";

      @Override
      public void changePolicy(RateLimitPolicy policy) {
        intact().changePolicy(policy);
        generation += "'";
      }

      @Override
      public Decision tryAcquire(String key, long permits) {
        return intact().tryAcquire(key + generation, permits);
      }

      @Override
      public Decision peek(String key, long permits) {
        return intact().peek(key + generation, permits);
      }
    };
  }

  /** Policies are never changed. */
  static RateLimiter ignoringChanges(RateLimiter intact) {
    return new BrokenLimiter(intact) {
      @Override
      public void changePolicy(RateLimitPolicy policy) {
        // the fault: nothing is done
      }
    };
  }

  /** Reset does nothing. */
  static RateLimiter ignoringResets(RateLimiter intact) {
    return new BrokenLimiter(intact) {
      @Override
      public void reset(String key) {
        // the fault: nothing is done
      }
    };
  }

  /** Judges by other limits than it says. */
  static RateLimiter judgingBy(RateLimiter intact, UnaryOperator<Limit> other) {
    RateLimitPolicy said = intact.policy();
    RateLimitPolicy.Builder builder = RateLimitPolicy.builder(said.name());
    said.limits().forEach(named -> builder.limit(other.apply(named.limit())));
    intact.changePolicy(builder.build());
    return new BrokenLimiter(intact) {
      @Override
      public RateLimitPolicy policy() {
        return said;
      }
    };
  }

  /** One permit more than there are. */
  static Limit oneMore(Limit limit) {
    return switch (limit.kind()) {
      case TOKEN_BUCKET -> {
        TokenBucket bucket = (TokenBucket) limit;
        yield new TokenBucket(
            bucket.capacity() + 1, bucket.refillTokens(), bucket.refillPeriod(), bucket.refill());
      }
      case LEAKY_BUCKET -> {
        LeakyBucket bucket = (LeakyBucket) limit;
        yield new LeakyBucket(
            bucket.capacity() + 1, bucket.leakPermits(), bucket.leakPeriod(), bucket.mode());
      }
      case FIXED_WINDOW -> {
        FixedWindow window = (FixedWindow) limit;
        yield new FixedWindow(window.limit() + 1, window.window(), window.alignment());
      }
      case CALENDAR_WINDOW -> {
        CalendarWindow window = (CalendarWindow) limit;
        yield new CalendarWindow(window.limit() + 1, window.unit(), window.zone());
      }
      case SLIDING_WINDOW_LOG ->
          SlidingWindowLog.of(limit.capacity() + 1, ((SlidingWindowLog) limit).window());
      case CONCURRENCY -> Concurrency.of(limit.capacity() + 1, limit.quotaWindow());
      case SLIDING_WINDOW_COUNTER ->
          SlidingWindowCounter.of(limit.capacity() + 1, ((SlidingWindowCounter) limit).window());
    };
  }
}
