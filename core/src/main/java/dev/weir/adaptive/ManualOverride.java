package dev.weir.adaptive;

import java.util.Objects;
import java.util.Optional;

/**
 * What somebody decided about a subject.
 *
 * @param subject whom it is about
 * @param kind what was decided
 * @param tier the tier of {@link Kind#PIN}; normal otherwise
 * @param author who decided
 * @param reason why
 * @param sinceMicros since when, since the epoch
 * @param untilMicros until when; empty for as long as it is not taken back
 */
public record ManualOverride(
    String subject,
    Kind kind,
    Tier tier,
    String author,
    String reason,
    long sinceMicros,
    Optional<Long> untilMicros) {

  private static final int LONGEST_TEXT = 500;

  /** What can be decided. */
  public enum Kind {
    /** Nothing limits the subject. */
    ALLOW,
    /** Everything is refused. */
    BLOCK,
    /** The subject has a tier that its behaviour does not change. */
    PIN
  }

  /** Checks that somebody answers for it. */
  public ManualOverride {
    Objects.requireNonNull(subject, "subject");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(tier, "tier");
    text("author", author);
    text("reason", reason);
    if (untilMicros.isPresent() && untilMicros.get() <= sinceMicros) {
      throw new IllegalArgumentException("an override must end after it begins");
    }
  }

  private static void text(String what, String text) {
    if (text.isBlank() || text.length() > LONGEST_TEXT) {
      throw new IllegalArgumentException(
          "the %s of an override must have from 1 to %d characters, and had %d"
              .formatted(what, LONGEST_TEXT, text.length()));
    }
  }

  /** Whether it holds at a time. */
  public boolean holdsAt(long micros) {
    return micros >= sinceMicros && (untilMicros.isEmpty() || micros < untilMicros.get());
  }

  /** What it makes of a call. */
  Treatment treatment() {
    String why = "override by " + author + ": " + reason;
    return switch (kind) {
      case ALLOW -> new Treatment(Treatment.Kind.EXEMPT, Tier.NORMAL, why);
      case BLOCK -> new Treatment(Treatment.Kind.REFUSED, Tier.NORMAL, why);
      case PIN -> new Treatment(Treatment.Kind.PINNED, tier, why);
    };
  }
}
