package dev.weir.adaptive;

import java.util.Objects;

/**
 * What precedence says of a call before its behaviour is asked.
 *
 * @param kind which rule judges
 * @param tier the tier of {@link Kind#PINNED}; normal otherwise
 * @param why which override or list said so, in a few words; empty if none did
 */
public record Treatment(Kind kind, Tier tier, String why) {

  /** Which rule judges. */
  public enum Kind {
    /** Nothing limits the call. */
    EXEMPT,
    /** The base limits alone. */
    LIMITED,
    /** The base limits and a tier that somebody fixed. */
    PINNED,
    /** The base limits and the subject's own tier, as the mode says. */
    JUDGED,
    /** The base limits; the subject's own tier is told and changes nothing. */
    WATCHED,
    /** The call is refused. */
    REFUSED
  }

  /** The subject's own tier judges. */
  public static final Treatment JUDGED = new Treatment(Kind.JUDGED, Tier.NORMAL, "");

  /** Checks for null. */
  public Treatment {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(tier, "tier");
    Objects.requireNonNull(why, "why");
  }
}
