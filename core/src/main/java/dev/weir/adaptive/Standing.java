package dev.weir.adaptive;

import java.util.Objects;

/**
 * How a subject stands after an outcome.
 *
 * @param tier its tier
 * @param isInGoodStanding as in {@link AdaptiveVerdict}
 */
public record Standing(Tier tier, boolean isInGoodStanding) {

  /** A subject that nothing is known of. */
  public static final Standing UNKNOWN = new Standing(Tier.NORMAL, true);

  /** Checks for null. */
  public Standing {
    Objects.requireNonNull(tier, "tier");
  }
}
