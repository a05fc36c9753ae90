package dev.weir.adaptive;

import java.util.Map;
import java.util.Optional;

/**
 * What is known of a subject at a time, and why. Immutable.
 *
 * @param tier the tier
 * @param risk the risk, 0 to 100
 * @param evidence the points of now, 0 to 100
 * @param points the points of each signal that has any, the most first
 * @param counters the decayed counters by name
 * @param isShared whether several people seem to be behind the subject
 * @param strikes how many blocks count against it, halved each day
 * @param blockEndMicros when the running block ends
 * @param next the change that comes if the subject stays away
 */
public record Explanation(
    Tier tier,
    double risk,
    double evidence,
    Map<Signal, Double> points,
    Map<String, Double> counters,
    boolean isShared,
    double strikes,
    Optional<Long> blockEndMicros,
    Optional<Change> next) {

  /**
   * A change of tier to come.
   *
   * @param tier the tier after it
   * @param atMicros when, for a subject that stays away
   */
  public record Change(Tier tier, long atMicros) {}
}
