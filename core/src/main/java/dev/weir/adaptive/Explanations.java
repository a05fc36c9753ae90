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

  static Explanation of(AdaptivePolicy policy, SubjectState state, Evidence evidence, double risk) {
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
        next(policy, state, risk));
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

  private static Optional<Explanation.Change> next(
      AdaptivePolicy policy, SubjectState state, double risk) {
    Tier tier = state.tier();
    if (tier == Tier.NORMAL) {
      return Optional.empty();
    }
    long tick =
        switch (tier) {
          case NORMAL -> state.tick;
          case ELEVATED -> leaving(policy, state, risk, Setting.ELEVATED_LEAVE);
          case SUSPICIOUS -> leaving(policy, state, risk, Setting.SUSPICIOUS_LEAVE);
          case BLOCKED -> state.blockEndTick;
        };
    return Optional.of(new Explanation.Change(Tier.of(state.tier - 1), tick * Decay.TICK_MICROS));
  }

  /** The first tick at which the dwelling time is over and the risk below the mark. */
  private static long leaving(
      AdaptivePolicy policy, SubjectState state, double risk, Setting leave) {
    long dwelt = state.calmSinceTick + policy.ticks(Setting.DWELL);
    double halfLives = risk <= 0 ? 0 : Math.log(risk / policy.get(leave)) / Math.log(2);
    long faded =
        state.tick + (long) Math.floor(halfLives * policy.ticks(Setting.RISK_HALF_LIFE)) + 1;
    return Math.max(Math.max(dwelt, state.tick), halfLives < 0 ? state.tick : faded);
  }
}
