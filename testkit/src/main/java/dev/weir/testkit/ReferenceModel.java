package dev.weir.testkit;

import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.TimeSource;
import dev.weir.Wait;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the contract says a limiter answers, worked out the slow way: every charge is kept, and only
 * "does this limit admit that cost at that time" is written down for each algorithm. Waits, resets,
 * delays and remainders are found by searching for the first time, or the largest cost, at which
 * the answer to that question changes. Not safe for use by several threads.
 */
public final class ReferenceModel implements Subject {

  private final TimeSource clock;
  private final Map<String, Key> keys = new HashMap<>();
  private final Map<String, List<Made>> charges = new HashMap<>();
  private final Map<String, List<Made>> reservations = new HashMap<>();
  private RateLimitPolicy policy;

  /** A model of a fresh store. */
  public ReferenceModel(RateLimitPolicy policy, TimeSource clock) {
    this.policy = policy;
    this.clock = clock;
  }

  @Override
  public Answer tryAcquire(String key, long permits) {
    return noted(key, judge(key, permits, permits > 0));
  }

  @Override
  public Answer peek(String key, long permits) {
    return judge(key, permits, false).answer();
  }

  @Override
  public Answer charge(String name, long permits) {
    Look look = new Look(name);
    boolean kept =
        permits == 0 || look.limits.stream().allMatch(it -> it.canOwe(look.effective, permits));
    if (!kept) {
      return look.answer(0, it -> it.canOwe(look.effective, permits) ? Wait.NONE : Wait.NEVER);
    }
    long delay = look.delay();
    if (permits > 0) {
      look.limits.forEach(limit -> limit.charge(look.effective, permits));
      look.write();
    }
    return noted(name, look.judged(look.answer(delay, any -> Wait.NONE), permits, permits > 0));
  }

  @Override
  public Answer refund(String name, long permits) {
    Look look = new Look(name);
    look.change((limit, id) -> permits > 0 && limit.refund(look.effective, permits, null));
    return look.answer(0, any -> Wait.NONE);
  }

  @Override
  public Answer giveBack(String name, int back, long permits) {
    List<Made> made = of(charges, name);
    Made charge = made.get(made.size() - 1 - back);
    long part = Math.max(1, Math.min(permits, charge.permits));
    Look look = new Look(name);
    look.change((limit, id) -> giveBack(limit, look.effective, part, charge.parts.get(id)));
    return look.answer(0, any -> Wait.NONE);
  }

  private static boolean giveBack(
      ReferenceLimit limit, long effective, long permits, ReferenceLimit.@Nullable Charged part) {
    return permits > 0 && part != null && limit.refund(effective, permits, part);
  }

  @Override
  public Answer reserve(String name, long permits, long lifeMicros) {
    Judged judged = judge(name, permits, true);
    if (judged.made() != null) {
      judged.made().expires = clock.epochMicros() + lifeMicros;
      of(reservations, name).add(judged.made());
      Objects.requireNonNull(keys.get(name)).number(judged.made(), clock.epochMicros());
    }
    return judged.answer();
  }

  @Override
  public Answer settle(String name, int back, long permits) {
    List<Made> made = of(reservations, name);
    Made reserved = made.get(made.size() - 1 - back);
    Look look = new Look(name);
    if (!reserved.open || reserved.expires <= clock.epochMicros()) {
      reserved.open = false;
      return look.answer(0, any -> Wait.NONE).settledAt(-1);
    }
    reserved.open = false;
    long wanted = permits - reserved.permits;
    boolean kept =
        wanted <= 0
            || look.limits.stream()
                .allMatch(limit -> limit.holds() || limit.canOwe(look.effective, wanted));
    long more = kept ? wanted : 0;
    look.change(
        (limit, id) -> {
          if (limit.holds()) {
            return giveBack(limit, look.effective, reserved.permits, reserved.parts.get(id));
          }
          if (more > 0) {
            limit.charge(look.effective, more);
            return true;
          }
          return giveBack(limit, look.effective, -more, reserved.parts.get(id));
        });
    return look.answer(0, any -> Wait.NONE).settledAt(kept ? permits : reserved.permits);
  }

  @Override
  public int charges(String key) {
    return of(charges, key).size();
  }

  @Override
  public int reservations(String key) {
    return of(reservations, key).size();
  }

  private static List<Made> of(Map<String, List<Made>> all, String key) {
    return all.computeIfAbsent(key, any -> new ArrayList<>());
  }

  private Answer noted(String key, Judged judged) {
    if (judged.made() != null) {
      of(charges, key).add(judged.made());
    }
    return judged.answer();
  }

  @Override
  public void reset(String key) {
    keys.remove(key);
    of(reservations, key).forEach(reservation -> reservation.open = false);
  }

  @Override
  public void changePolicy(RateLimitPolicy changed) {
    policy = changed;
  }

  private Judged judge(String name, long permits, boolean charges) {
    Look look = new Look(name);
    boolean allowed =
        permits == 0
            || look.limits.stream().allMatch(limit -> limit.admits(look.effective, permits));
    if (!allowed) {
      return new Judged(look.answer(0, it -> wait(it, look.now, look.effective, permits)), null);
    }
    long delay = look.delay();
    if (charges) {
      look.limits.forEach(limit -> limit.charge(look.effective, permits));
      look.write();
    }
    return look.judged(look.answer(delay, any -> Wait.NONE), permits, charges);
  }

  /**
   * What was answered, and what was charged.
   *
   * @param made {@code null} if nothing was
   */
  private record Judged(Answer answer, @Nullable Made made) {}

  /** A charge, and a reservation if it has an expiry. */
  private static final class Made {
    final long permits;
    final Map<Integer, ReferenceLimit.Charged> parts = new HashMap<>();
    boolean open = true;
    long expires;

    Made(long permits) {
      this.permits = permits;
    }
  }

  /** One step of a limit, with its id; tells whether it changed anything. */
  private interface Change {
    boolean of(ReferenceLimit limit, int id);
  }

  /** A key at the time of a call, as the policy's limits see it. */
  private final class Look {
    final String name;
    final Key key;
    final long now = clock.epochMicros();
    final long effective;
    final List<ReferenceLimit> limits = new ArrayList<>();

    Look(String name) {
      this.name = name;
      this.key = Objects.requireNonNullElseGet(keys.get(name), Key::new);
      this.effective = Math.max(now, key.lastWritten);
      policy.limits().forEach(named -> limits.add(key.view(named.stateId(), named.limit())));
    }

    long delay() {
      long delay = 0;
      for (ReferenceLimit limit : limits) {
        delay = Math.max(delay, limit.shapes() ? after(now, freshAt(limit, effective)) : 0);
      }
      return delay;
    }

    void write() {
      key.lastWritten = effective;
      for (int i = 0; i < limits.size(); i++) {
        key.histories.put(policy.limits().get(i).stateId(), limits.get(i));
      }
      keys.put(name, key);
    }

    void change(Change change) {
      boolean changed = false;
      for (int i = 0; i < limits.size(); i++) {
        changed |= change.of(limits.get(i), policy.limits().get(i).stateId());
      }
      if (changed) {
        write();
      }
    }

    Answer answer(long delay, Function<ReferenceLimit, Wait> waits) {
      List<Answer.OfLimit> answers = new ArrayList<>();
      boolean allowed = true;
      for (int i = 0; i < limits.size(); i++) {
        Wait wait = waits.apply(limits.get(i));
        allowed &= wait.isNone();
        String limit = policy.limits().get(i).name();
        answers.add(ReferenceModel.answer(limit, limits.get(i), wait, now, effective));
      }
      return summary(allowed, delay, answers);
    }

    Judged judged(Answer answer, long permits, boolean charged) {
      if (!charged) {
        return new Judged(answer, null);
      }
      Made made = new Made(permits);
      for (int i = 0; i < limits.size(); i++) {
        Answer.OfLimit said = answer.limits().get(i);
        long used = limits.get(i).capacity() - said.remaining();
        made.parts.put(
            policy.limits().get(i).stateId(),
            new ReferenceLimit.Charged(effective, used, now + said.resetAfter()));
      }
      return new Judged(answer, made);
    }
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
    return new Answer(allowed, remaining, longest, reset, delay, limitedBy, limits, 0);
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
    final List<Made> reserved = new ArrayList<>();
    int oldest;
    long lastWritten;

    /** A new reservation makes up to four of the oldest go away that have expired. */
    void number(Made made, long now) {
      for (int i = 0; i < 4 && oldest < reserved.size(); i++) {
        Made first = reserved.get(oldest);
        if (first.open && first.expires > now) {
          break;
        }
        first.open = false;
        oldest++;
      }
      reserved.add(made);
    }

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
