package dev.weir.adaptive;

import static dev.weir.adaptive.SubjectState.AGENTLESS;
import static dev.weir.adaptive.SubjectState.AUTH;
import static dev.weir.adaptive.SubjectState.BAD;
import static dev.weir.adaptive.SubjectState.BASELINE;
import static dev.weir.adaptive.SubjectState.BURST;
import static dev.weir.adaptive.SubjectState.DENIED;
import static dev.weir.adaptive.SubjectState.ERRORS;
import static dev.weir.adaptive.SubjectState.PROBES;
import static dev.weir.adaptive.SubjectState.RISK;
import static dev.weir.adaptive.SubjectState.ROUTES;
import static dev.weir.adaptive.SubjectState.SLOW;
import static dev.weir.adaptive.SubjectState.TOTAL;

/** From counters to points, and from points to a risk. Immutable and pure. */
final class Scoring {

  /** How much a counter with a half-life of 1 holds of a steady 1: 1 / ln 2. */
  private static final double STEADY = 1.4426950408889634;

  private static final double MOST_POINTS = 100;

  private final AdaptivePolicy policy;
  private final double expectedBurst;
  private final double baselineToBurst;

  Scoring(AdaptivePolicy policy, BaseRate limits) {
    this.policy = policy;
    double burstHalfLife = policy.get(Setting.BURST_HALF_LIFE);
    double steady = STEADY * burstHalfLife * limits.perMinute() / 60;
    this.expectedBurst =
        Math.max(policy.get(Setting.BURST_EXPECTED), Math.max(steady, limits.atOnce()));
    this.baselineToBurst =
        policy.get(Setting.BASELINE_MULTIPLE)
            * (burstHalfLife / policy.get(Setting.BASELINE_HALF_LIFE));
  }

  /** How much of a burst is usual whatever the subject did before. */
  double expectedBurst() {
    return expectedBurst;
  }

  /** What of the counted baseline a usual burst is. */
  double baselineToBurst() {
    return baselineToBurst;
  }

  Evidence evidence(SubjectState state) {
    double[] points = new double[Signal.COUNT];
    float[] counters = state.counters;
    double grace = grace(counters);
    scans(counters, points);
    points[Signal.AUTH_FAILURES.index()] =
        points(
            counters[AUTH],
            Setting.AUTH_FAILURES_POINTS,
            Setting.AUTH_FAILURES_FROM,
            Setting.AUTH_FAILURES_TO);
    double expected = Math.max(expectedBurst, counters[BASELINE] * baselineToBurst);
    points[Signal.BURST.index()] =
        grace
            * points(
                counters[BURST] / expected,
                Setting.BURST_POINTS,
                Setting.BURST_FROM,
                Setting.BURST_TO);
    points[Signal.REPEAT.index()] = grace * repeat(state);
    points[Signal.NEW_ROUTES.index()] =
        points(
            counters[ROUTES],
            Setting.NEW_ROUTES_POINTS,
            Setting.NEW_ROUTES_FROM,
            Setting.NEW_ROUTES_TO);
    points[Signal.DENIALS.index()] =
        grace
            * points(
                counters[DENIED], Setting.DENIALS_POINTS, Setting.DENIALS_FROM, Setting.DENIALS_TO);
    points[Signal.MISSING_AGENT.index()] =
        points(
            counters[AGENTLESS],
            Setting.MISSING_AGENT_POINTS,
            Setting.MISSING_AGENT_FROM,
            Setting.MISSING_AGENT_TO);
    return summed(state, points);
  }

  /** Three views of the same paths, in minutes, hours and days: only the strongest counts. */
  private void scans(float[] counters, double[] points) {
    double minutes = unmatched(counters[BAD]);
    double hours =
        points(
            counters[SLOW], Setting.SLOW_SCAN_POINTS, Setting.SLOW_SCAN_FROM, Setting.SLOW_SCAN_TO);
    double days =
        points(counters[PROBES], Setting.PROBES_POINTS, Setting.PROBES_FROM, Setting.PROBES_TO);
    if (minutes >= hours && minutes >= days) {
      points[Signal.UNMATCHED.index()] = minutes;
    } else if (hours >= days) {
      points[Signal.SLOW_SCAN.index()] = hours;
    } else {
      points[Signal.PROBES.index()] = days;
    }
  }

  /** The risk: new evidence at once, old evidence fading. */
  double risk(SubjectState state, Evidence evidence) {
    return Math.max(evidence.total(), state.counters[RISK]);
  }

  private Evidence summed(SubjectState state, double[] points) {
    double enough = policy.get(Setting.EVIDENCE_POINTS);
    double sum = 0;
    int strong = 0;
    boolean onlySoft = true;
    for (int i = 0; i < Signal.COUNT; i++) {
      sum = sum + points[i];
      if (points[i] >= enough) {
        strong++;
      }
      if (points[i] > 0 && !Signal.of(i).isSoft()) {
        onlySoft = false;
      }
    }
    boolean hard =
        state.counters[BAD] >= policy.get(Setting.UNMATCHED_HARD_AT)
            || state.counters[AUTH] >= policy.get(Setting.AUTH_FAILURES_TO);
    return new Evidence(
        points,
        Math.min(MOST_POINTS, sum),
        hard,
        strong,
        onlySoft && strong < 2,
        Explanations.isShared(policy, state));
  }

  private double unmatched(double bad) {
    double points =
        points(bad, Setting.UNMATCHED_POINTS, Setting.UNMATCHED_FROM, Setting.UNMATCHED_TO);
    return bad >= policy.get(Setting.UNMATCHED_HARD_AT)
        ? points + policy.get(Setting.UNMATCHED_HARD_POINTS)
        : points;
  }

  private double repeat(SubjectState state) {
    double top = 0;
    for (float repeats : state.repeats) {
      top = Math.max(top, repeats);
    }
    double total = state.counters[TOTAL];
    if (total <= 0) {
      return 0;
    }
    return points(top, Setting.REPEAT_POINTS, Setting.REPEAT_FROM, Setting.REPEAT_TO)
        * saturation(
            top / total,
            policy.get(Setting.REPEAT_SHARE_FROM),
            policy.get(Setting.REPEAT_SHARE_TO));
  }

  /** Retries after a failure of our own are no abuse: what is left of the points for them. */
  private double grace(float[] counters) {
    if (counters[TOTAL] <= 0) {
      return 1;
    }
    double failing = policy.get(Setting.SERVER_ERRORS_SLOPE) * counters[ERRORS] / counters[TOTAL];
    return 1 - policy.get(Setting.SERVER_ERRORS_GRACE) * Math.min(1, failing);
  }

  private double points(double value, Setting most, Setting from, Setting to) {
    return policy.get(most) * saturation(value, policy.get(from), policy.get(to));
  }

  static double saturation(double value, double from, double to) {
    return Math.max(0, Math.min(1, (value - from) / (to - from)));
  }
}
