package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
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
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
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
    private final RateLimiter redis;
    private final Map<String, PolicyState> states = new HashMap<>();
    private final Map<String, Set<Integer>> ids = new HashMap<>();
    private PolicyAlgorithm java;

    Both(RedisHarness harness, RateLimitPolicy policy) {
      this.harness = harness;
      this.redis = harness.limiter(policy);
      this.java = new PolicyAlgorithm(policy);
    }

    @Override
    public Answer tryAcquire(String key, long permits) {
      return compare(key, permits, true, Answer.of(redis.tryAcquire(key, permits)));
    }

    @Override
    public Answer peek(String key, long permits) {
      return compare(key, permits, false, Answer.of(redis.peek(key, permits)));
    }

    private Answer compare(String key, long permits, boolean charge, Answer fromRedis) {
      PolicyAlgorithm.Outcome outcome =
          java.decide(states.get(key), permits, charge, harness.clock().now());
      assertThat(fromRedis).as("answer, seed %d", Seed.get()).isEqualTo(of(outcome));
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

    private static Answer of(PolicyAlgorithm.Outcome outcome) {
      return Answer.of(outcome.decision());
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
