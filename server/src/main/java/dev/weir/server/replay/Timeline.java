package dev.weir.server.replay;

import dev.weir.adaptive.AdaptiveVerdict;
import dev.weir.adaptive.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Requests over time: allowed, refused by the limits, refused by the tier, and of whom. */
final class Timeline {

  private static final long MINUTE_MICROS = 60_000_000;

  private final TreeMap<Long, long[]> minutes = new TreeMap<>();

  /**
   * A part of the time.
   *
   * @param startMicros when it starts
   * @param lengthMicros how long it is
   * @param allowed requests that both the limits and the tier allow
   * @param deniedByLimits requests that the limits refuse
   * @param refusedByTier requests that only the tier refuses, or would
   * @param flagged allowed requests of subjects that are suspicious or blocked
   */
  record Part(
      long startMicros,
      long lengthMicros,
      long allowed,
      long deniedByLimits,
      long refusedByTier,
      long flagged) {}

  void add(long micros, AdaptiveVerdict verdict, Tier tier) {
    long[] counts =
        minutes.computeIfAbsent(Math.floorDiv(micros, MINUTE_MICROS), minute -> new long[4]);
    if (!verdict.base().allowed()) {
      counts[1]++;
    } else if (!verdict.adaptiveAllows()) {
      counts[2]++;
    } else if (tier.level() >= Tier.SUSPICIOUS.level()) {
      counts[3]++;
    } else {
      counts[0]++;
    }
  }

  /** The whole time in at most so many parts of equal length. */
  List<Part> parts(int most) {
    if (minutes.isEmpty()) {
      return List.of();
    }
    long first = minutes.firstKey();
    long length = (minutes.lastKey() - first) / most + 1;
    long count = (minutes.lastKey() - first) / length + 1;
    long[][] sums = new long[(int) count][4];
    minutes.forEach(
        (minute, counts) -> {
          long[] sum = sums[(int) ((minute - first) / length)];
          for (int i = 0; i < sum.length; i++) {
            sum[i] += counts[i];
          }
        });
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < sums.length; i++) {
      parts.add(
          new Part(
              (first + i * length) * MINUTE_MICROS,
              length * MINUTE_MICROS,
              sums[i][0],
              sums[i][1],
              sums[i][2],
              sums[i][3]));
    }
    return parts;
  }
}
