package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.testkit.FaultyLimiter.Fault;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checkers that cannot fail check nothing: each is shown a fault that it must find. */
class CheckersTest {

  private static final int TRACES = 40;
  private static final int STEPS = 60;

  /** Puts traces through a check, and says whether one of them failed. */
  private static boolean finds(Shape shape, Check check) {
    TraceGenerator generator = new TraceGenerator(Seed.get());
    for (int i = 0; i < TRACES; i++) {
      try (LocalHarness harness = new LocalHarness()) {
        check.run(harness, generator.nextUnchanged(generator.policy("faulty", shape), STEPS));
      } catch (AssertionError found) {
        return true;
      }
    }
    return false;
  }

  private interface Check {
    void run(LocalHarness harness, Trace trace);
  }

  private static void honesty(LocalHarness harness, Trace trace, Fault fault) {
    RateLimiter limiter = new FaultyLimiter(harness.limiter(trace.policy()), fault);
    HonestyChecker checker = new HonestyChecker(limiter, harness.clock());
    trace.run(
        Subject.of(limiter),
        harness.clock(),
        "k",
        (seen, key) -> checker.check(key, seen.permits(), seen.answer()));
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {
        "WAITS_A_MICROSECOND_SHORT",
        "WAITS_A_MICROSECOND_LONG",
        "REMAINING_ONE_TOO_MANY",
        "RESETS_TOO_EARLY"
      })
  void honestyFindsAnswersThatAreOffByOne(Fault fault) {
    for (Shape shape : Shape.values()) {
      assertThat(finds(shape, (harness, trace) -> honesty(harness, trace, fault)))
          .as("%s of %s, seed %d", fault, shape, Seed.get())
          .isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"REFUSALS_ARE_CHARGED", "LOOKS_ARE_CHARGED"})
  void purityFindsWhatIsWrittenWithoutBeingAdmitted(Fault fault) {
    for (Shape shape : Shape.values()) {
      boolean found =
          finds(
              shape,
              (harness, trace) -> {
                RateLimiter limiter = new FaultyLimiter(harness.limiter(trace.policy()), fault);
                trace.run(new PurityChecker(harness, limiter), harness.clock(), "k");
              });
      assertThat(found).as("%s of %s, seed %d", fault, shape, Seed.get()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void theModelFindsAnAdmissionTooMany(Shape shape) {
    boolean found =
        finds(
            shape,
            (harness, trace) -> {
              LimiterHarness faulty = new WrappedHarness(harness, Fault.ADMITS_ONE_TOO_MANY);
              Differential.withModel(faulty).check(trace, Seed.get());
            });
    assertThat(found).as("%s, seed %d", shape, Seed.get()).isTrue();
  }

  @Test
  void theEnvelopeFindsABurstTooLarge() {
    for (Shape shape : Shape.values()) {
      boolean found =
          finds(
              shape,
              (harness, trace) -> {
                RateLimiter first = harness.limiter(trace.policy());
                RateLimiter second = harness.limiter(trace.policy());
                // Two that do not know of each other admit twice what one may.
                EnvelopeChecker.check(
                    trace.run(new Alternating(first, second), harness.clock(), "k"));
              });
      assertThat(found).as("%s, seed %d", shape, Seed.get()).isTrue();
    }
  }

  /** A subject whose calls go to two limiters in turn. */
  private static final class Alternating implements Subject {
    private final Subject[] subjects;
    private int turn;

    Alternating(RateLimiter first, RateLimiter second) {
      this.subjects = new Subject[] {Subject.of(first), Subject.of(second)};
    }

    @Override
    public Answer tryAcquire(String key, long permits) {
      return subjects[turn++ % 2].tryAcquire(key, permits);
    }

    @Override
    public Answer peek(String key, long permits) {
      return subjects[turn % 2].peek(key, permits);
    }

    @Override
    public void reset(String key) {
      subjects[0].reset(key);
      subjects[1].reset(key);
    }

    @Override
    public void changePolicy(RateLimitPolicy policy) {
      subjects[0].changePolicy(policy);
      subjects[1].changePolicy(policy);
    }
  }

  @Test
  void expiryFindsKeysThatDieTooEarlyOrNever() {
    for (long lifetime : new long[] {0, 1, Long.MAX_VALUE}) {
      boolean found =
          finds(
              Shape.FIXED_WINDOW_FIRST_CHARGE,
              (harness, trace) -> {
                LimiterHarness expiring = new ExpiringHarness(harness, lifetime);
                trace.run(
                    new ExpiryChecker(expiring, harness.limiter(trace.policy())),
                    harness.clock(),
                    "k");
              });
      assertThat(found).as("lifetime %d, seed %d", lifetime, Seed.get()).isTrue();
    }
  }

  /** A harness whose limiters have a fault. */
  private record WrappedHarness(LocalHarness harness, Fault fault) implements LimiterHarness {
    @Override
    public RateLimiter limiter(RateLimitPolicy policy) {
      return new FaultyLimiter(harness.limiter(policy), fault);
    }

    @Override
    public ManualClock clock() {
      return harness.clock();
    }

    @Override
    public Object storedState(RateLimitPolicy policy, String key) {
      return harness.storedState(policy, key);
    }

    @Override
    public boolean hasExpiry() {
      return false;
    }

    @Override
    public OptionalLong timeToLiveMicros(RateLimitPolicy policy, String key) {
      return OptionalLong.empty();
    }

    @Override
    public boolean sharesState() {
      return false;
    }

    @Override
    public void close() {
      harness.close();
    }
  }

  /** A harness that says every key has the same lifetime left. */
  private record ExpiringHarness(LocalHarness harness, long lifetime) implements LimiterHarness {
    @Override
    public RateLimiter limiter(RateLimitPolicy policy) {
      return harness.limiter(policy);
    }

    @Override
    public ManualClock clock() {
      return harness.clock();
    }

    @Override
    public Object storedState(RateLimitPolicy policy, String key) {
      return harness.storedState(policy, key);
    }

    @Override
    public boolean hasExpiry() {
      return true;
    }

    @Override
    public OptionalLong timeToLiveMicros(RateLimitPolicy policy, String key) {
      return OptionalLong.of(lifetime);
    }

    @Override
    public boolean sharesState() {
      return false;
    }

    @Override
    public void close() {
      harness.close();
    }
  }
}
