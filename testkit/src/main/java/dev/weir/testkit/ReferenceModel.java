package dev.weir.testkit;

import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimitPolicy.NamedLimit;
import dev.weir.TimeSource;
import dev.weir.Wait;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What the contract says a limiter answers, worked out the slow way: every charge is kept, and only
 * "does this limit admit that cost at that time" is written down for each algorithm. Waits, resets,
 * delays and remainders are found by searching for the first time, or the largest cost, at which
 * the answer to that question changes. Not safe for use by several threads.
 */
public final class ReferenceModel implements Subject {

  private final TimeSource clock;
  private final Map<String, Key> keys = new HashMap<>();
  private RateLimitPolicy policy;

  /** A model of a fresh store. */
  public ReferenceModel(RateLimitPolicy policy, TimeSource clock) {
    this.policy = policy;
    this.clock = clock;
  }

  @Override
  public Answer tryAcquire(String key, long permits) {
    return judge(key, permits, permits > 0);
  }

  @Override
  public Answer peek(String key, long permits) {
    return judge(key, permits, false);
  }

  @Override
  public void reset(String key) {
    keys.remove(key);
  }

  @Override
  public void changePolicy(RateLimitPolicy changed) {
    policy = changed;
  }

  private Answer judge(String name, long permits, boolean charges) {
    Key key = Objects.requireNonNullElseGet(keys.get(name), Key::new);
    long now = clock.epochMicros();
    long effective = Math.max(now, key.lastWritten);
    List<ReferenceLimit> limits = new ArrayList<>();
    for (NamedLimit named : policy.limits()) {
      limits.add(key.view(named.stateId(), named.limit()));
    }
    boolean allowed =
        permits == 0 || limits.stream().allMatch(limit -> limit.admits(effective, permits));
    long delay = 0;
    if (allowed) {
      for (ReferenceLimit limit : limits) {
        delay = Math.max(delay, limit.shapes() ? after(now, freshAt(limit, effective)) : 0);
      }
      if (charges) {
        key.lastWritten = effective;
        for (int i = 0; i < limits.size(); i++) {
          limits.get(i).charge(effective, permits);
          key.histories.put(policy.limits().get(i).stateId(), limits.get(i));
        }
        keys.put(name, key);
      }
    }
    List<Answer.OfLimit> answers = new ArrayList<>();
    for (int i = 0; i < limits.size(); i++) {
      Wait wait = allowed ? Wait.NONE : wait(limits.get(i), now, effective, permits);
      answers.add(answer(policy.limits().get(i).name(), limits.get(i), wait, now, effective));
    }
    return summary(allowed, delay, answers);
  }

  private static Answer.OfLimit answer(
      String name, ReferenceLimit limit, Wait wait, long now, long effective) {
    long remaining = limit.remaining(effective);
    long next = 0;
    if (remaining < limit.capacity()) {
      next = Search.firstTime(effective, time -> limit.admits(time, remaining + 1)) - now;
    }
    return new Answer.OfLimit(name, remaining, wait, next, after(now, freshAt(limit, effective)));
  }

  private static Wait wait(ReferenceLimit limit, long now, long effective, long permits) {
    if (permits > limit.capacity()) {
      return Wait.NEVER;
    }
    if (limit.admits(effective, permits)) {
      return Wait.NONE;
    }
    return Wait.ofMicros(Search.firstTime(effective, time -> limit.admits(time, permits)) - now);
  }

  /** The first time at which the whole capacity is free, which only a fresh state gives. */
  private static long freshAt(ReferenceLimit limit, long effective) {
    return limit.admits(effective, limit.capacity())
        ? Long.MIN_VALUE
        : Search.firstTime(effective, time -> limit.admits(time, limit.capacity()));
  }

  private static long after(long now, long time) {
    return time == Long.MIN_VALUE ? 0 : time - now;
  }

  private static Answer summary(boolean allowed, long delay, List<Answer.OfLimit> limits) {
    long remaining = Long.MAX_VALUE;
    long reset = 0;
    Wait longest = Wait.NONE;
    String limitedBy = "";
    for (Answer.OfLimit limit : limits) {
      remaining = Math.min(remaining, limit.remaining());
      reset = Math.max(reset, limit.resetAfter());
      if (isLonger(limit.retryAfter(), longest)) {
        longest = limit.retryAfter();
        limitedBy = limit.name();
      }
    }
    return new Answer(allowed, remaining, longest, reset, delay, limitedBy, limits);
  }

  private static boolean isLonger(Wait wait, Wait than) {
    if (than.isNever() || wait.isNever()) {
      return !than.isNever();
    }
    return wait.toMicros() > than.toMicros();
  }

  /** What happened to one key. */
  private static final class Key {
    final Map<Integer, ReferenceLimit> histories = new HashMap<>();
    long lastWritten;

    /** The history as that limit sees it; nothing is changed until it is charged. */
    ReferenceLimit view(int stateId, Limit limit) {
      ReferenceLimit stored = histories.get(stateId);
      if (stored == null) {
        return ReferenceLimit.fresh(limit);
      }
      return stored.limit().equals(limit) ? stored : stored.changedTo(limit, lastWritten);
    }
  }
}
