package dev.weir.testkit;

import dev.weir.RateLimitPolicy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs random traces on two subjects and compares every answer: allowed, remaining, wait, reset,
 * delay, of the policy and of each limit. A difference is shrunk and thrown as an {@link
 * AssertionError} with the seed and the smallest trace as Java code.
 */
public final class Differential {

  /** The system property that says how many steps a run has. */
  public static final String STEPS_PROPERTY = "weir.differential.steps";

  private static final int STEPS_PER_TRACE = 60;
  private static final AtomicLong RUN = new AtomicLong();

  private final Side left;
  private final Side right;

  private Differential(Side left, Side right) {
    this.left = left;
    this.right = right;
  }

  /** Starts the subject of one trace. */
  @FunctionalInterface
  private interface Start {
    Subject subject(RateLimitPolicy policy);
  }

  private record Side(String name, ManualClock clock, Start start) {

    static Side of(String name, LimiterHarness harness) {
      return new Side(name, harness.clock(), policy -> Subject.of(harness.limiter(policy)));
    }

    List<Trace.Observation> run(Trace trace) {
      String keys = "run-" + RUN.incrementAndGet() + "-";
      return trace.run(start.subject(trace.policy()), clock, keys);
    }
  }

  /** Compares a store with the {@link ReferenceModel}. */
  public static Differential withModel(LimiterHarness harness) {
    ManualClock clock = new ManualClock();
    return new Differential(
        new Side("model", clock, policy -> new ReferenceModel(policy, clock)),
        Side.of("store", harness));
  }

  /** Compares two stores. */
  public static Differential between(LimiterHarness left, LimiterHarness right) {
    return new Differential(Side.of("left", left), Side.of("right", right));
  }

  /**
   * Runs random traces until that many steps are done, or as many as the system property {@value
   * #STEPS_PROPERTY} says, and prints how many and the seed.
   *
   * @return the steps done
   */
  public long run(long defaultSteps) {
    return run(Long.getLong(STEPS_PROPERTY, defaultSteps), Seed.get());
  }

  /** Runs that many steps from that seed. */
  public long run(long steps, long seed) {
    TraceGenerator generator = new TraceGenerator(seed);
    long done = 0;
    while (done < steps) {
      Trace trace = generator.next(STEPS_PER_TRACE);
      check(trace, seed);
      done += trace.steps().size();
    }
    System.out.println("differential: " + done + " steps, seed " + seed);
    return done;
  }

  /** Compares the answers to one trace. */
  public void check(Trace trace, long seed) {
    if (difference(trace).isEmpty()) {
      return;
    }
    Trace smallest = Shrinker.shrink(trace, candidate -> difference(candidate).isPresent());
    throw new AssertionError(
        "seed %d, %s%n%s%n%s"
            .formatted(
                seed,
                smallest.policy(),
                difference(smallest).orElse("not the same answers again"),
                smallest.toJava()));
  }

  /** The first answer that differs, if any does. */
  Optional<String> difference(Trace trace) {
    List<Trace.Observation> expected = left.run(trace);
    List<Trace.Observation> actual = right.run(trace);
    if (expected.size() != actual.size()) {
      return Optional.of(
          "%s gave %d answers, %s %d: they do not agree on what was charged or reserved"
              .formatted(left.name(), expected.size(), right.name(), actual.size()));
    }
    for (int i = 0; i < expected.size(); i++) {
      if (!expected.get(i).equals(actual.get(i))) {
        return Optional.of(
            "answer %d to %s at %d us%n  %s: %s%n  %s: %s"
                .formatted(
                    i,
                    JavaCode.of(expected.get(i).step()),
                    expected.get(i).atMicros(),
                    left.name(),
                    expected.get(i).answer(),
                    right.name(),
                    actual.get(i).answer()));
      }
    }
    return Optional.empty();
  }
}
