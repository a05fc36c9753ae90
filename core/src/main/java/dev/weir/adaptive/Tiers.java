package dev.weir.adaptive;

import static dev.weir.adaptive.SubjectState.STRIKES;

/** From risk and evidence to a tier: up at once, down one at a time. Pure. */
final class Tiers {

  private static final int LARGEST_JITTER = 1 << 16;
  private static final int JITTER_FACTOR = 40_503;

  private final double[] enter;
  private final double[] leave;
  private final long dwellTicks;
  private final double firstBlockTicks;
  private final double longestBlockTicks;
  private final double jitter;

  Tiers(AdaptivePolicy policy) {
    this.enter =
        new double[] {
          0,
          policy.get(Setting.ELEVATED_ENTER),
          policy.get(Setting.SUSPICIOUS_ENTER),
          policy.get(Setting.BLOCKED_ENTER)
        };
    this.leave =
        new double[] {
          0, policy.get(Setting.ELEVATED_LEAVE), policy.get(Setting.SUSPICIOUS_LEAVE), 0
        };
    this.dwellTicks = policy.ticks(Setting.DWELL);
    this.firstBlockTicks = policy.ticks(Setting.FIRST_BLOCK);
    this.longestBlockTicks = policy.ticks(Setting.LONGEST_BLOCK);
    this.jitter = policy.get(Setting.BLOCK_JITTER);
  }

  /** Ends a block whose time has come, and comes down a tier for each calm dwelling time. */
  void settle(SubjectState state, double risk) {
    if (state.tier == Tier.BLOCKED.level()) {
      if (state.tick < state.blockEndTick) {
        return;
      }
      state.tier = Tier.SUSPICIOUS.level();
      state.calmSinceTick = state.blockEndTick;
    }
    if (state.tier > 0 && risk >= leave[state.tier]) {
      state.calmSinceTick = state.tick;
    }
    while (state.tier > 0
        && risk < leave[state.tier]
        && state.tick - state.calmSinceTick >= dwellTicks) {
      state.tier--;
      state.calmSinceTick = state.calmSinceTick + dwellTicks;
    }
  }

  /** Goes up to where the evidence says. A block that runs is left alone. */
  void raise(SubjectState state, Evidence evidence, int seed) {
    int level = deserved(evidence);
    if (level <= state.tier) {
      return;
    }
    state.tier = level;
    state.calmSinceTick = state.tick;
    if (level == Tier.BLOCKED.level()) {
      state.add(STRIKES, 1);
      state.blockEndTick = state.tick + blockTicks(state.counters[STRIKES], state.tick, seed);
    }
  }

  private int deserved(Evidence evidence) {
    if (evidence.isSoft()) {
      return 0;
    }
    int level = 0;
    while (level < Tier.BLOCKED.level() && evidence.total() >= enter[level + 1]) {
      level++;
    }
    boolean blockable = !evidence.isShared() && (evidence.isHard() || evidence.strong() >= 2);
    return level == Tier.BLOCKED.level() && !blockable ? Tier.SUSPICIOUS.level() : level;
  }

  /** A length that doubles with each strike, and is up to a jitter shorter. */
  private long blockTicks(double strikes, long tick, int seed) {
    double ticks = firstBlockTicks;
    for (double n = Math.floor(strikes + 0.5); n > 1 && ticks < longestBlockTicks; n--) {
      ticks = ticks * 2;
    }
    double salt = (double) (seed & (LARGEST_JITTER - 1)) + (double) (tick % LARGEST_JITTER);
    double spread = salt * JITTER_FACTOR;
    spread = spread - Math.floor(spread / LARGEST_JITTER) * LARGEST_JITTER;
    ticks = Math.min(ticks, longestBlockTicks) * (1 - jitter * (spread / LARGEST_JITTER));
    return Math.max(1, (long) Math.ceil(ticks));
  }
}
