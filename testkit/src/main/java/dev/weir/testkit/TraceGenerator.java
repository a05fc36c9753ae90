package dev.weir.testkit;

import dev.weir.CalendarWindow;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimitPolicy.NamedLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Makes traces at random from a seed: mixed costs, bursts, idle gaps of any length, clocks that
 * step back, calls exactly when advised and one microsecond before, extreme rates and sizes,
 * changed policies. The same seed gives the same traces.
 */
public final class TraceGenerator {

  private final Random random;
  private final LimitGenerator limits;

  /** A generator that starts from that seed. */
  public TraceGenerator(long seed) {
    this.random = new Random(seed);
    this.limits = new LimitGenerator(random);
  }

  /** A limit as they occur in traces. */
  public Limit limit() {
    return limits.limit();
  }

  /** A policy with a limit of that shape, and often with others beside it. */
  public RateLimitPolicy policy(String name, Shape shape) {
    RateLimitPolicy.Builder builder = RateLimitPolicy.builder(name);
    int others = random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 0;
    int at = random.nextInt(others + 1);
    for (int i = 0; i <= others; i++) {
      builder.limit(i == at ? limits.limit(shape) : limits.limit());
    }
    return builder.build();
  }

  /** A policy with a limit of a calendar, and often with others beside it. */
  public RateLimitPolicy calendarPolicy(String name) {
    RateLimitPolicy.Builder builder = RateLimitPolicy.builder(name);
    if (random.nextInt(3) == 0) {
      builder.limit(limits.limit());
    }
    builder.limit(limits.calendarLimit());
    if (random.nextInt(3) == 0) {
      builder.limit(limits.calendarLimit());
    }
    return builder.build();
  }

  /** A trace of at most that many steps, of a policy made at random. */
  public Trace next(int steps) {
    return next(limits.policy("random"), steps);
  }

  /** A trace of at most that many steps for a policy. */
  public Trace next(RateLimitPolicy policy, int steps) {
    return trace(policy, 1 + random.nextInt(steps), true, random.nextInt(6) == 0);
  }

  /** A trace of at most that many steps of which each admits, looks or moves the clock. */
  public Trace nextUnchanged(RateLimitPolicy policy, int steps) {
    Trace trace = trace(policy, 1 + random.nextInt(steps), false, false);
    return trace.with(
        trace.steps().stream().filter(step -> !(step instanceof Step.Reset)).toList());
  }

  private Step other(int key, Limit limit) {
    int back = random.nextInt(4) == 0 ? random.nextInt(6) : 0;
    return switch (random.nextInt(6)) {
      case 0 -> new Step.Charge(key, cost(limit));
      case 1 -> new Step.Refund(key, cost(limit));
      case 2, 3 -> new Step.GiveBack(key, back, Math.max(1, cost(limit)));
      case 4 -> new Step.Reserve(key, Math.max(1, cost(limit)), life(limit));
      default -> new Step.Settle(key, back, cost(limit));
    };
  }

  private long life(Limit limit) {
    return Math.max(1_000, Math.min(forward(limit), 86_400_000_000L));
  }

  private Trace trace(RateLimitPolicy policy, int count, boolean refunds, boolean changes) {
    List<Step> steps = new ArrayList<>();
    RateLimitPolicy current = policy;
    int keys = random.nextInt(4) == 0 ? Trace.MAX_KEYS : 1;
    while (steps.size() < count) {
      Limit limit = current.limits().get(random.nextInt(current.limits().size())).limit();
      int key = random.nextInt(keys);
      int kind = random.nextInt(100);
      if (refunds && random.nextInt(5) == 0) {
        steps.add(other(key, limit));
      } else if (kind < 42) {
        steps.add(new Step.Acquire(key, cost(limit)));
      } else if (kind < 50) {
        burst(steps, key, limit, count);
      } else if (kind < 57) {
        steps.add(new Step.Peek(key, cost(limit)));
      } else if (kind < 58) {
        steps.add(new Step.Reset(key));
      } else if (kind < 75) {
        steps.add(await());
      } else if (kind < 93) {
        steps.add(new Step.Advance(forward(limit)));
      } else if (kind < 97 || !changes) {
        steps.add(new Step.Advance(-forward(limit)));
      } else {
        current = changed(current);
        steps.add(new Step.Change(current));
      }
    }
    return new Trace(policy, start(policy), steps);
  }

  private void burst(List<Step> steps, int key, Limit limit, int most) {
    long cost = random.nextBoolean() ? 1 : cost(limit);
    int length = 2 + random.nextInt(12);
    for (int i = 0; i < length && steps.size() < most; i++) {
      steps.add(new Step.Acquire(key, cost));
    }
  }

  private Step.Await await() {
    Step.Advice[] advice = Step.Advice.values();
    long offset = List.of(0, 0, 0, -1, -1, 1).get(random.nextInt(6));
    int which = random.nextInt(5);
    return new Step.Await(which < 3 ? Step.Advice.RETRY : advice[which - 2], offset);
  }

  /** A time to start at: often just before a clock is changed, where a calendar is asked. */
  private long start(RateLimitPolicy policy) {
    for (NamedLimit named : policy.limits()) {
      if (named.limit() instanceof CalendarWindow window && random.nextBoolean()) {
        return Math.max(0, limits.clockChange(window.zone()) - random.nextInt(3) * forward(window));
      }
    }
    return start();
  }

  private long start() {
    return switch (random.nextInt(8)) {
      case 0 -> random.nextInt(3);
      case 1 -> (long) (random.nextDouble() * ManualClock.MIDNIGHT);
      case 2 -> ManualClock.MIDNIGHT - 1 + random.nextInt(3);
      case 3 -> ManualClock.LATEST / 2 + random.nextInt(3);
      default -> ManualClock.MIDNIGHT + (long) (random.nextDouble() * 86_400_000_000L);
    };
  }

  private long cost(Limit limit) {
    long capacity = limit.capacity();
    long cost =
        switch (random.nextInt(12)) {
          case 0 -> 0;
          case 1 -> capacity;
          case 2 -> capacity + 1;
          case 3 -> Limit.MAX_PERMITS;
          case 4 -> capacity / 2;
          case 5 -> capacity / 3 + 1;
          case 6 -> 1 + (long) (random.nextDouble() * capacity);
          case 7 -> 1 + random.nextInt(5);
          default -> 1;
        };
    return Math.min(cost, Limit.MAX_PERMITS);
  }

  /** How far to move: nothing, a hair, a part of the limit's own time, or far beyond it. */
  private long forward(Limit limit) {
    long window = ManualClock.micros(limit.quotaWindow());
    return switch (random.nextInt(10)) {
      case 0 -> 0;
      case 1 -> 1;
      case 2 -> 1 + random.nextInt(2_000);
      case 3 -> window;
      case 4 -> window - 1;
      case 5 -> window / 2;
      case 6 -> Math.min(window, 100_000_000_000_000L) * (2 + random.nextInt(3));
      case 7 -> window / Math.max(1, limit.capacity());
      default -> (long) (random.nextDouble() * window);
    };
  }

  private RateLimitPolicy changed(RateLimitPolicy policy) {
    RateLimitPolicy.Builder builder = RateLimitPolicy.builder(policy.name());
    int changes = random.nextInt(policy.limits().size());
    for (int i = 0; i < policy.limits().size(); i++) {
      NamedLimit named = policy.limits().get(i);
      Limit limit = i == changes ? limits.limit() : named.limit();
      if (named.stateId() == i) {
        builder.limit(limit);
      } else {
        builder.limit(named.name(), limit);
      }
    }
    return builder.build();
  }
}
