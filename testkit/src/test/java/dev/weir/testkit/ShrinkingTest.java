package dev.weir.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weir.RateLimitPolicy;
import dev.weir.TokenBucket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShrinkingTest {

  private static final RateLimitPolicy POLICY =
      RateLimitPolicy.of("small", TokenBucket.smooth(5, 7, Duration.ofSeconds(3)));

  @Test
  void aDifferenceIsReportedAsTheSmallestTraceWithItsSeed() {
    BrokenHarness.Fault fault = (intact, clock) -> Faults.chargingRefusals(intact);
    try (BrokenHarness harness = new BrokenHarness(fault)) {
      Differential differential = Differential.withModel(harness);
      String message =
          String.valueOf(
              assertThrows(AssertionError.class, () -> differential.run(100_000, 17)).getMessage());
      assertTrue(message.startsWith("seed 17, random["), message);
      assertTrue(message.contains("model:") && message.contains("store:"), message);
      assertTrue(message.contains("new Trace(\n    RateLimitPolicy.builder(\"random\")"), message);
      long steps = message.lines().filter(line -> line.contains("new Step.")).count();
      assertTrue(steps >= 2 && steps <= 4, message);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whatIsLeftFailsAndNoStepCanBeLeftOut(long seed) {
    Trace trace = new TraceGenerator(seed).next(POLICY, 60);
    long most = admitted(trace);
    Trace smallest = Shrinker.shrink(trace, candidate -> admitted(candidate) >= most);
    assertTrue(admitted(smallest) >= most);
    for (int i = 0; i < smallest.steps().size(); i++) {
      List<Step> fewer = new ArrayList<>(smallest.steps());
      fewer.remove(i);
      assertTrue(admitted(smallest.with(fewer)) < most, smallest::toJava);
    }
  }

  private static long admitted(Trace trace) {
    ManualClock clock = new ManualClock();
    return trace.run(new ReferenceModel(trace.policy(), clock), clock, "").stream()
        .mapToLong(Trace.Observation::charged)
        .sum();
  }

  @Test
  void shrinkingEndsWhateverFails() {
    AtomicInteger runs = new AtomicInteger();
    Trace trace = new TraceGenerator(3).next(POLICY, 60);
    Trace smallest =
        Shrinker.shrink(
            trace,
            candidate -> {
              runs.incrementAndGet();
              return true;
            });
    assertEquals(List.of(), smallest.steps());
    assertTrue(runs.get() < 10_000, "runs " + runs);
  }

  @Test
  void oneSeedGivesOneTrace() {
    assertEquals(new TraceGenerator(5).next(60), new TraceGenerator(5).next(60));
  }

  @Test
  void traceAsJava() {
    Trace trace =
        new Trace(
            RateLimitPolicy.builder("p")
                .limit("a", TokenBucket.interval(2, 1, Duration.ofMillis(1)))
                .build(),
            9,
            List.of(
                new Step.Acquire(0, 3),
                new Step.Advance(-4),
                new Step.Await(Step.Advice.RETRY, -1),
                new Step.Reset(1)));
    assertEquals(
        """
        new Trace(
            RateLimitPolicy.builder("p").limit("a", \
        new TokenBucket(2, 1, Duration.of(1000L, ChronoUnit.MICROS), \
        TokenBucket.Refill.INTERVAL)).build(),
            9L,
            List.of(
                new Step.Acquire(0, 3),
                new Step.Advance(-4L),
                new Step.Await(Step.Advice.RETRY, -1),
                new Step.Reset(1)))""",
        trace.toJava());
  }
}
