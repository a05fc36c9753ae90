package dev.weir.server.override;

import dev.weir.adaptive.Cidr;
import dev.weir.adaptive.ManualOverride;
import dev.weir.adaptive.Tier;
import java.util.Locale;
import java.util.Optional;

/**
 * What somebody decided about a subject or a range of addresses.
 *
 * @param target the key of a subject, or a range
 * @param isRange whether the target is a range of addresses
 * @param kind what was decided; a range is allowed (limited, never judged) or blocked
 * @param tier the tier of {@code PIN}; normal otherwise
 * @param author who decided
 * @param reason why
 * @param sinceMillis since when, since the epoch
 * @param untilMillis until when; 0 for as long as it is not taken back
 */
public record HandDecision(
    String target,
    boolean isRange,
    ManualOverride.Kind kind,
    Tier tier,
    String author,
    String reason,
    long sinceMillis,
    long untilMillis) {

  private static final int LONGEST_TARGET = 1_024;

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if they do not go together; the message says why
   */
  public HandDecision {
    if (target.isEmpty() || target.length() > LONGEST_TARGET) {
      throw new IllegalArgumentException(
          "target must have from 1 to %d characters, and had %d"
              .formatted(LONGEST_TARGET, target.length()));
    }
    if (isRange) {
      Cidr.parse(target);
      if (kind == ManualOverride.Kind.PIN) {
        throw new IllegalArgumentException(
            "kind of a range must be allow or block; a tier is pinned to a subject");
      }
    }
    if (reason.isBlank() || reason.length() > 500) {
      throw new IllegalArgumentException(
          "reason must have from 1 to 500 characters, and had " + reason.length());
    }
  }

  /** What it is about, with its kind of target. */
  String name() {
    return (isRange ? "range:" : "subject:") + target;
  }

  boolean holdsAt(long millis) {
    return untilMillis == 0 || millis < untilMillis;
  }

  /** The name of what was decided. */
  public String word() {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  ManualOverride ofSubject() {
    return new ManualOverride(
        target,
        kind,
        tier,
        author,
        reason,
        sinceMillis * 1_000,
        untilMillis == 0 ? Optional.empty() : Optional.of(untilMillis * 1_000));
  }
}
