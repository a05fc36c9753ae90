package dev.weir.adaptive;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Tells what a state means. Pure. */
final class Explanations {

  private static final String[] NAMES = {
    "unmatched",
    "unmatchedSlow",
    "authFailures",
    "burst",
    "baseline",
    "total",
    "newRoutes",
    "denials",
    "missingAgent",
    "serverErrors"
  };

  private Explanations() {}

  /** Whether several people seem to be behind a subject. */
  static boolean isShared(AdaptivePolicy policy, SubjectState state) {
    return distinct(state.principals) >= policy.get(Setting.SHARED_PRINCIPALS)
        || distinct(state.agents) >= policy.get(Setting.SHARED_AGENTS);
  }

  private static int distinct(@Nullable SeenSet set) {
    return set == null ? 0 : set.distinct();
  }

  static Explanation of(
      SubjectState state, Evidence evidence, double risk, Optional<Explanation.Change> next) {
    return new Explanation(
        state.tier(),
        risk,
        evidence.total(),
        points(evidence),
        counters(state),
        evidence.isShared(),
        state.counters[SubjectState.STRIKES],
        state.tier() == Tier.BLOCKED
            ? Optional.of(state.blockEndTick * Decay.TICK_MICROS)
            : Optional.empty(),
        next);
  }

  private static Map<Signal, Double> points(Evidence evidence) {
    Map<Signal, Double> points = new LinkedHashMap<>();
    IntStream.range(0, Signal.COUNT)
        .boxed()
        .filter(i -> evidence.points()[i] > 0)
        .sorted(Comparator.comparing((Integer i) -> -evidence.points()[i]))
        .forEach(i -> points.put(Signal.of(i), evidence.points()[i]));
    return points;
  }

  private static Map<String, Double> counters(SubjectState state) {
    Map<String, Double> counters = new LinkedHashMap<>();
    for (int i = 0; i < NAMES.length; i++) {
      counters.put(NAMES[i], (double) state.counters[i]);
    }
    double top = 0;
    for (float repeats : state.repeats) {
      top = Math.max(top, repeats);
    }
    counters.put("topRepeat", top);
    counters.put("probes", (double) state.counters[SubjectState.PROBES]);
    counters.put("principals", (double) distinct(state.principals));
    counters.put("agents", (double) distinct(state.agents));
    return counters;
  }
}
