package dev.weir.testkit;

import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Promises 2, 3, 5, 6, 7, 9, 10 and 15 and the bounds, on traces made at random. */
abstract class GeneratedPromises extends HarnessTest {

  private static final int STEPS = 40;
  private static final int TRACES = 25;
  private static final long DIFFERENTIAL_STEPS = 20_000;

  private static final String CALENDAR = "CALENDAR_WINDOW";

  static Stream<String> kinds() {
    return Stream.concat(Stream.of(Shape.values()).map(Shape::name), Stream.of(CALENDAR));
  }

  /** What a trace is put through, on keys of its own. */
  @FunctionalInterface
  private interface Check {
    void run(Trace trace, String keys);
  }

  @Test
  void promise15SameAnswersAsTheModel() {
    Differential.withModel(store()).run(DIFFERENTIAL_STEPS);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void promise15SameAnswersAsTheModelForEachAlgorithm(String kind) {
    Differential differential = Differential.withModel(store());
    everyTrace(kind, true, (trace, keys) -> differential.check(trace, Seed.get()));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void noIntervalAdmitsMoreThanItsBound(String kind) {
    everyTrace(
        kind,
        false,
        (trace, keys) -> {
          RateLimiter limiter = store().limiter(trace.policy());
          EnvelopeChecker.check(trace.run(Subject.of(limiter), clock(), keys));
        });
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void promise5And6AnswersAreExact(String kind) {
    everyTrace(
        kind,
        false,
        (trace, keys) -> {
          RateLimiter limiter = store().limiter(trace.policy());
          HonestyChecker checker = new HonestyChecker(limiter, clock());
          trace.run(
              Subject.of(limiter),
              clock(),
              keys,
              (seen, key) -> checker.check(key, seen.permits(), seen.answer()));
          checker.spend(keys + 0, Answer.of(limiter.peek(keys + 0, 0)));
        });
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void promise3And7LooksAndRefusalsWriteNothing(String kind) {
    everyTrace(
        kind,
        true,
        (trace, keys) -> {
          RateLimiter limiter = store().limiter(trace.policy());
          trace.run(new PurityChecker(store(), limiter), clock(), keys);
        });
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void promise9KeysLiveAsLongAsTheyMatterAndNoLonger(String kind) {
    everyTrace(
        kind,
        true,
        (trace, keys) -> {
          RateLimiter limiter = store().limiter(trace.policy());
          trace.run(new ExpiryChecker(store(), limiter), clock(), keys);
        });
  }

  /** Puts traces through a check: of this kind alone, of it with others, and of any limits. */
  private void everyTrace(String kind, boolean changes, Check check) {
    TraceGenerator generator = new TraceGenerator(Seed.get() + kind.length());
    for (int i = 0; i < TRACES; i++) {
      String name = "generated-" + kind;
      RateLimitPolicy policy =
          kind.equals(CALENDAR)
              ? generator.calendarPolicy(name)
              : generator.policy(name, Shape.valueOf(kind));
      Trace trace =
          changes ? generator.next(policy, STEPS) : generator.nextUnchanged(policy, STEPS);
      try {
        check.run(trace, "trace-" + i + "-");
      } catch (AssertionError e) {
        throw new AssertionError(
            "seed %d: %s%n%s".formatted(Seed.get(), e.getMessage(), trace.toJava()), e);
      }
    }
  }

  @Test
  void aHardTraceOfEachBoundIsMet() {
    for (Limit limit :
        List.of(
            Shape.SLIDING_WINDOW_COUNTER.of(100, Duration.ofMillis(1)),
            Shape.FIXED_WINDOW_CLOCK.of(100, Duration.ofMillis(1)))) {
      Trace trace =
          new Trace(
              RateLimitPolicy.of("hard-" + limit.kind().word(), limit),
              ManualClock.MIDNIGHT + 999,
              List.of(
                  new Step.Acquire(0, 100),
                  new Step.Advance(999),
                  new Step.Acquire(0, 99),
                  new Step.Acquire(0, 1)));
      RateLimiter limiter = store().limiter(trace.policy());
      EnvelopeChecker.check(trace.run(Subject.of(limiter), clock(), "hard-"));
    }
  }
}
