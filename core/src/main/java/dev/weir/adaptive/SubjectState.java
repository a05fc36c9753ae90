package dev.weir.adaptive;

import org.jspecify.annotations.Nullable;

/**
 * What is kept of a subject: at most {@link #MAX_BYTES} bytes, whatever the subject does. Only the
 * {@link RiskModel} changes it, and gives a copy; to everyone else it is immutable.
 */
public final class SubjectState {

  /** The most bytes of {@link SubjectStateBytes#write}. */
  public static final int MAX_BYTES = 335;

  // The decayed counters.
  static final int BAD = 0;
  static final int SLOW = 1;
  static final int AUTH = 2;
  static final int BURST = 3;
  static final int BASELINE = 4;
  static final int TOTAL = 5;
  static final int ROUTES = 6;
  static final int DENIED = 7;
  static final int AGENTLESS = 8;
  static final int ERRORS = 9;
  static final int STRIKES = 10;
  static final int RISK = 11;
  static final int PROBES = 12;
  static final int COUNTERS = 13;

  /** How many requests are watched for repeats at a time. */
  static final int SLOTS = 4;

  static final int PATH_BITS = 256;
  static final int ROUTE_BITS = 512;
  static final int PEOPLE_BITS = 64;

  long tick;
  int tier;
  long calmSinceTick;
  long blockEndTick;
  long retryAtTick;
  final float[] counters = new float[COUNTERS];
  final int[] prints = new int[SLOTS];
  final float[] repeats = new float[SLOTS];
  @Nullable SeenSet paths;
  @Nullable SeenSet routes;
  @Nullable SeenSet principals;
  @Nullable SeenSet agents;

  SubjectState() {}

  SubjectState copy() {
    SubjectState copy = new SubjectState();
    copy.tick = tick;
    copy.tier = tier;
    copy.calmSinceTick = calmSinceTick;
    copy.blockEndTick = blockEndTick;
    copy.retryAtTick = retryAtTick;
    System.arraycopy(counters, 0, copy.counters, 0, COUNTERS);
    System.arraycopy(prints, 0, copy.prints, 0, SLOTS);
    System.arraycopy(repeats, 0, copy.repeats, 0, SLOTS);
    copy.paths = copy(paths);
    copy.routes = copy(routes);
    copy.principals = copy(principals);
    copy.agents = copy(agents);
    return copy;
  }

  private static @Nullable SeenSet copy(@Nullable SeenSet set) {
    return set == null ? null : set.copy();
  }

  /** Adds to a counter; what has decayed into nothing is nothing. */
  void add(int counter, double increment) {
    counters[counter] = (float) Math.min(MAX_COUNT, counters[counter] + increment);
  }

  /** The most a counter holds: 2^20. */
  static final double MAX_COUNT = 1 << 20;

  /** The tier that was last decided. */
  public Tier tier() {
    return Tier.of(tier);
  }

  /**
   * Whether what is missing for the subject may be taken as missing for people in general: it has
   * not asked for more than anyone may by accident.
   */
  public boolean isInGoodStanding(AdaptivePolicy policy) {
    return tier == 0 && counters[BAD] < policy.get(Setting.UNMATCHED_FROM);
  }

  /** The risk that was last decided. */
  public double risk() {
    return counters[RISK];
  }
}
