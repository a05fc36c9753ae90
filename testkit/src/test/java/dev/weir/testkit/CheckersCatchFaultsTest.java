package dev.weir.testkit;

import static org.junit.jupiter.api.Assertions.fail;

import dev.weir.CalendarUnit;
import dev.weir.CalendarWindow;
import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.testkit.BrokenHarness.Fault;
import dev.weir.testkit.BrokenLimiter.Part;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every checker is shown limiters that are broken on purpose, and must find each out. */
class CheckersCatchFaultsTest {

  private static final int TRACES = 40;
  private static final int STEPS = 60;
  private static final Duration WINDOW = Duration.ofMillis(7);

  /** The checkers. */
  enum Checker {
    ENVELOPE,
    HONESTY,
    PURITY,
    EXPIRY,
    DIFFERENTIAL
  }

  /** A fault, the kind of limit that shows it, and the checkers that must find it out. */
  private record Broken(String name, Shape shape, Fault fault, Set<Checker> foundBy) {
    @Override
    public String toString() {
      return name + " in " + shape;
    }
  }

  private static Stream<Broken> broken() {
    return Stream.of(Shape.values())
        .flatMap(
            shape ->
                Stream.of(lies(shape), writesOutOfTurn(shape), miscounts(shape), changes(shape))
                    .flatMap(List::stream));
  }

  private static List<Broken> lies(Shape shape) {
    return List.of(
        lying("waits rounded down to ms", shape, Part.WAIT, n -> n < 0 ? n : n / 1_000 * 1_000),
        lying("waits rounded up to ms", shape, Part.WAIT, n -> n < 0 ? n : upToMillis(n)),
        lying("waits 1 us too long", shape, Part.WAIT, n -> n > 0 ? n + 1 : n),
        lying("never is a time", shape, Part.WAIT, n -> n < 0 ? 1_000_000 : n),
        lying("one remaining too many", shape, Part.REMAINING, n -> n + 1),
        lying("one remaining too few", shape, Part.REMAINING, n -> n > 0 ? n - 1 : n),
        lying("resets 1 us too early", shape, Part.RESET, n -> n > 1 ? n - 1 : n),
        lying("resets 1 us too late", shape, Part.RESET, n -> n + 1),
        lying("resets of 0", shape, Part.RESET, n -> 0),
        lying("next permit 1 us late", shape, Part.NEXT, n -> n > 0 ? n + 1 : n));
  }

  private static List<Broken> writesOutOfTurn(Shape shape) {
    Set<Checker> finders = Set.of(Checker.PURITY, Checker.DIFFERENTIAL);
    return List.of(
        new Broken(
            "refusals charged", shape, (intact, clock) -> Faults.chargingRefusals(intact), finders),
        new Broken(
            "peeks charged", shape, (intact, clock) -> Faults.chargingPeeks(intact), finders),
        new Broken(
            "cost 0 charged", shape, (intact, clock) -> Faults.chargingNothing(intact), finders));
  }

  private static List<Broken> miscounts(Shape shape) {
    Set<Checker> finders = Set.of(Checker.ENVELOPE, Checker.DIFFERENTIAL);
    return List.of(
        new Broken("calls of one instant charged once", shape, Faults::collapsingInstants, finders),
        new Broken(
            "state that follows the clock back", shape, Faults::followingTheClockBack, finders),
        new Broken(
            "nodes that count apart",
            shape,
            (intact, clock) -> Faults.countingApart(intact),
            finders),
        new Broken(
            "one more than the capacity",
            shape,
            (intact, clock) -> Faults.judgingBy(intact, Faults::oneMore),
            Set.of(Checker.ENVELOPE, Checker.HONESTY, Checker.DIFFERENTIAL)));
  }

  private static List<Broken> changes(Shape shape) {
    Set<Checker> finders = Set.of(Checker.DIFFERENTIAL);
    return List.of(
        new Broken(
            "changes ignored", shape, (intact, clock) -> Faults.ignoringChanges(intact), finders),
        new Broken(
            "a full refill on change",
            shape,
            (intact, clock) -> Faults.refillingOnChange(intact),
            finders),
        new Broken(
            "resets ignored", shape, (intact, clock) -> Faults.ignoringResets(intact), finders));
  }

  private static long upToMillis(long micros) {
    return (micros + 999) / 1_000 * 1_000;
  }

  private static Broken lying(String name, Shape shape, Part part, LongUnaryOperator lie) {
    return new Broken(
        name,
        shape,
        (intact, clock) -> Faults.saying(intact, part, lie),
        Set.of(Checker.HONESTY, Checker.DIFFERENTIAL));
  }

  @ParameterizedTest
  @MethodSource("broken")
  void aBrokenLimiterIsFoundOut(Broken broken) {
    for (Checker checker : broken.foundBy()) {
      requireFound(checker, broken.shape(), new BrokenHarness(broken.fault()));
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void anIntactLimiterPassesEveryChecker(Shape shape) {
    for (Checker checker : Checker.values()) {
      try (BrokenHarness harness = new BrokenHarness((intact, clock) -> intact)) {
        for (Trace trace : traces(checker, shape.of(5, WINDOW))) {
          run(checker, trace, harness, "intact-" + trace.hashCode());
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void aWrongExpiryIsFoundOut(Shape shape) {
    Fault none = (intact, clock) -> intact;
    requireFound(Checker.EXPIRY, shape, new BrokenHarness(none, n -> n / 1_000 * 1_000, false));
    requireFound(Checker.EXPIRY, shape, new BrokenHarness(none, n -> n - 1, false));
    requireFound(Checker.EXPIRY, shape, new BrokenHarness(none, n -> n / 2, false));
    requireFound(Checker.EXPIRY, shape, new BrokenHarness(none, n -> n * 1_000, false));
    requireFound(Checker.EXPIRY, shape, new BrokenHarness(none, n -> n + 2_000, false));
    requireFound(Checker.EXPIRY, shape, new BrokenHarness(none, n -> 0, false));
    requireFound(Checker.EXPIRY, shape, new BrokenHarness(none, n -> Long.MAX_VALUE, false));
    requireFound(Checker.PURITY, shape, new BrokenHarness(none, n -> n + 999, true));
  }

  @Test
  void aShapingBucketThatReleasesAtOnceIsFoundOut() {
    Fault noDelay = (intact, clock) -> Faults.saying(intact, Part.DELAY, n -> 0);
    Fault tooSoon = (intact, clock) -> Faults.saying(intact, Part.DELAY, n -> n * 9 / 10);
    for (Fault fault : List.of(noDelay, tooSoon)) {
      for (Checker checker : List.of(Checker.ENVELOPE, Checker.DIFFERENTIAL)) {
        requireFound(checker, Shape.LEAKY_BUCKET_SHAPING, new BrokenHarness(fault));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Shape.class,
      names = {"FIXED_WINDOW_.*", "TOKEN_BUCKET_INTERVAL"},
      mode = EnumSource.Mode.MATCH_NONE)
  void aFixedWindowUnderAnotherNameIsFoundOut(Shape shape) {
    Limit window = FixedWindow.alignedToClock(5, WINDOW);
    Fault fault = (intact, clock) -> Faults.judgingBy(intact, limit -> window);
    requireFound(Checker.ENVELOPE, shape, new BrokenHarness(fault));
  }

  @Test
  void aCalendarOfAnotherUnitOrZoneOrLimitIsFoundOut() {
    CalendarWindow said = CalendarWindow.of(5, CalendarUnit.DAY, ZoneId.of("Europe/Berlin"));
    List<Limit> others =
        List.of(
            Faults.oneMore(said),
            CalendarWindow.of(5, CalendarUnit.HOUR, said.zone()),
            CalendarWindow.of(5, CalendarUnit.DAY, ZoneOffset.UTC),
            CalendarWindow.of(5, CalendarUnit.DAY, ZoneOffset.ofHours(1)),
            FixedWindow.of(5, Duration.ofDays(1)));
    for (Limit other : others) {
      Fault fault = (intact, clock) -> Faults.judgingBy(intact, limit -> other);
      for (Checker checker : List.of(Checker.ENVELOPE, Checker.DIFFERENTIAL)) {
        requireFound(checker, said, new BrokenHarness(fault));
      }
    }
  }

  private static void requireFound(Checker checker, Shape shape, BrokenHarness harness) {
    requireFound(checker, shape.of(5, WINDOW), harness);
  }

  private static void requireFound(Checker checker, Limit limit, BrokenHarness harness) {
    try (harness) {
      for (Trace trace : traces(checker, limit)) {
        try {
          run(checker, trace, harness, "trace-" + trace.hashCode());
        } catch (AssertionError found) {
          return;
        }
      }
    }
    fail(checker + " has found nothing wrong with " + limit);
  }

  /** Traces of a limit whose numbers are small and awkward, the same in every run. */
  private static List<Trace> traces(Checker checker, Limit limit) {
    TraceGenerator generator = new TraceGenerator(1);
    RateLimitPolicy policy = RateLimitPolicy.of("broken", limit);
    return Stream.generate(
            () ->
                checker == Checker.DIFFERENTIAL || checker == Checker.PURITY
                    ? generator.next(policy, STEPS)
                    : generator.nextUnchanged(policy, STEPS))
        .limit(TRACES)
        .toList();
  }

  private static void run(Checker checker, Trace trace, BrokenHarness harness, String keys) {
    RateLimiter limiter = harness.limiter(trace.policy());
    ManualClock clock = harness.clock();
    switch (checker) {
      case ENVELOPE -> EnvelopeChecker.check(trace.run(Subject.of(limiter), clock, keys));
      case HONESTY -> {
        HonestyChecker honesty = new HonestyChecker(limiter, clock);
        trace.run(
            Subject.of(limiter),
            clock,
            keys,
            (seen, key) -> honesty.check(key, seen.permits(), seen.answer()));
      }
      case PURITY -> trace.run(new PurityChecker(harness, limiter), clock, keys);
      case EXPIRY -> trace.run(new ExpiryChecker(harness, limiter), clock, keys);
      case DIFFERENTIAL ->
          Differential.withModel(harness)
              .difference(trace)
              .ifPresent(
                  difference -> {
                    throw new AssertionError(difference);
                  });
    }
  }
}
