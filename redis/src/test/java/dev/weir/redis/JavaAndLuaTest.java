package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Charge;
import dev.weir.RateLimitPolicy;
import dev.weir.algorithm.JavaFields;
import dev.weir.algorithm.PolicyAlgorithm;
import dev.weir.algorithm.PolicyState;
import dev.weir.testkit.Answer;
import dev.weir.testkit.Differential;
import dev.weir.testkit.RedisVersion;
import dev.weir.testkit.Seed;
import dev.weir.testkit.Shrinker;
import dev.weir.testkit.Subject;
import dev.weir.testkit.Trace;
import dev.weir.testkit.TraceGenerator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/**
 * Promise 15, from the inside: after every step of random traces the scripts have answered as the
 * Java arithmetic does, and what Redis stores is field by field what Java would.
 */
class JavaAndLuaTest {

  private static final long STEPS = 15_000;
  private static final int STEPS_PER_TRACE = 60;

  private int runs;

  @Test
  void answersAndStoredFieldsAreTheSameAfterEveryStep() {
    long steps = Long.getLong(Differential.STEPS_PROPERTY, STEPS);
    TraceGenerator generator = new TraceGenerator(Seed.get());
    long done = 0;
    try (RedisHarness harness = new RedisHarness(RedisVersion.usual())) {
      while (done < steps) {
        Trace trace = generator.next(STEPS_PER_TRACE);
        if (differs(trace, harness)) {
          Trace smallest = Shrinker.shrink(trace, candidate -> differs(candidate, harness));
          System.out.println(smallest.toJava());
          run(smallest, harness);
        }
        done += trace.steps().size();
      }
    }
    System.out.println("differential: " + done + " steps with stored fields, seed " + Seed.get());
  }

  private boolean differs(Trace trace, RedisHarness harness) {
    try {
      run(trace, harness);
      return false;
    } catch (AssertionError difference) {
      return true;
    }
  }

  private void run(Trace trace, RedisHarness harness) {
    trace.run(new Both(harness, trace.policy()), harness.clock(), "both-" + ++runs + "-");
  }

  /** Asks both, and compares. */
  private static final class Both implements Subject {

    private final RedisHarness harness;
    private final Subject redis;
    private final Map<String, List<Charge>> charges = new HashMap<>();
    private final Map<String, List<Charge>> reservations = new HashMap<>();
    private final Map<String, PolicyState> states = new HashMap<>();
    private final Map<String, Set<Integer>> ids = new HashMap<>();
    private PolicyAlgorithm java;

    Both(RedisHarness harness, RateLimitPolicy policy) {
      this.harness = harness;
      this.redis = Subject.of(harness.limiter(policy));
      this.java = new PolicyAlgorithm(policy);
    }

    @Override
    public Answer tryAcquire(String key, long permits) {
      Answer answer = redis.tryAcquire(key, permits);
      return compare(key, now -> java.decide(states.get(key), permits, true, now), answer);
    }

    @Override
    public Answer peek(String key, long permits) {
      Answer answer = redis.peek(key, permits);
      return compare(key, now -> java.decide(states.get(key), permits, false, now), answer);
    }

    @Override
    public Answer charge(String key, long permits) {
      Answer answer = redis.charge(key, permits);
      return compare(key, now -> java.charge(states.get(key), permits, now), answer);
    }

    @Override
    public Answer refund(String key, long permits) {
      Answer answer = redis.refund(key, permits);
      return compare(key, now -> java.refund(states.get(key), permits, null, now), answer);
    }

    @Override
    public Answer giveBack(String key, int back, long permits) {
      Answer answer = redis.giveBack(key, back, permits);
      Charge whole = latest(charges, key, back);
      Charge part = whole.part(Math.max(1, Math.min(permits, whole.permits())));
      return compare(key, now -> java.refund(states.get(key), part.permits(), part, now), answer);
    }

    @Override
    public Answer reserve(String key, long permits, long lifeMicros) {
      Answer answer = redis.reserve(key, permits, lifeMicros);
      return compare(
          reservations, key, now -> java.decide(states.get(key), permits, true, now), answer);
    }

    // Which reservations are open is Redis' answer here; other tests compare that.
    @Override
    public Answer settle(String key, int back, long permits) {
      Answer answer = redis.settle(key, back, permits);
      Charge reserved = latest(reservations, key, back);
      return compare(
          key,
          now ->
              answer.settled() < 0
                  ? java.refund(states.get(key), 0, null, now)
                  : java.settle(states.get(key), reserved, permits, now),
          answer);
    }

    @Override
    public int charges(String key) {
      return redis.charges(key);
    }

    @Override
    public int reservations(String key) {
      return redis.reservations(key);
    }

    private static Charge latest(Map<String, List<Charge>> all, String key, int back) {
      List<Charge> known = Objects.requireNonNull(all.get(key));
      return known.get(known.size() - 1 - back);
    }

    private Answer compare(
        String key, LongFunction<PolicyAlgorithm.Outcome> step, Answer fromRedis) {
      return compare(charges, key, step, fromRedis);
    }

    private Answer compare(
        Map<String, List<Charge>> made,
        String key,
        LongFunction<PolicyAlgorithm.Outcome> step,
        Answer fromRedis) {
      PolicyAlgorithm.Outcome outcome = step.apply(harness.clock().now());
      outcome
          .decision()
          .charge()
          .ifPresent(charge -> made.computeIfAbsent(key, any -> new ArrayList<>()).add(charge));
      assertThat(fromRedis.settledAt(0))
          .as("answer, seed %d", Seed.get())
          .isEqualTo(Answer.of(outcome.decision()));
      if (outcome.toStore() != null) {
        states.put(key, outcome.toStore());
        Set<Integer> known = new LinkedHashSet<>();
        java.policy().limits().forEach(limit -> known.add(limit.stateId()));
        // What this policy does not know is carried along.
        known.addAll(ids.getOrDefault(key, Set.of()));
        ids.put(key, known);
      }
      assertThat(harness.storedFields(java.policy(), key))
          .as("stored for %s, seed %d", java.policy(), Seed.get())
          .containsExactlyInAnyOrderElementsOf(
              JavaFields.of(states.get(key), ids.getOrDefault(key, Set.of())));
      return fromRedis;
    }

    @Override
    public void reset(String key) {
      redis.reset(key);
      states.remove(key);
      ids.remove(key);
    }

    @Override
    public void changePolicy(RateLimitPolicy policy) {
      redis.changePolicy(policy);
      java = new PolicyAlgorithm(policy);
    }
  }
}
