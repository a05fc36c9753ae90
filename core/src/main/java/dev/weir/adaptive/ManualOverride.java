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
    Optional<Long> untilMicros)
    implements Ruling {

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
    Ruling.checkText("author", author);
    Ruling.checkText("reason", reason);
    Ruling.checkText("subject", subject);
    Ruling.checkTimes(sinceMicros, untilMicros);
  }

  /** Nothing is to limit a subject, until that is lifted. */
  public static ManualOverride allow(String subject, String author, String reason) {
    return new ManualOverride(
        subject, Kind.ALLOW, Tier.NORMAL, author, reason, 0, Optional.empty());
  }

  /** Everything is to be refused to a subject, until that is lifted. */
  public static ManualOverride block(String subject, String author, String reason) {
    return new ManualOverride(
        subject, Kind.BLOCK, Tier.NORMAL, author, reason, 0, Optional.empty());
  }

  /** A subject is to have a tier whatever it does, until that is lifted. */
  public static ManualOverride pin(String subject, Tier tier, String author, String reason) {
    return new ManualOverride(subject, Kind.PIN, tier, author, reason, 0, Optional.empty());
  }

  @Override
  public String target() {
    return Ruling.subjectTarget(subject);
  }

  @Override
  public ManualOverride during(long sinceMicros, Optional<Long> untilMicros) {
    return new ManualOverride(subject, kind, tier, author, reason, sinceMicros, untilMicros);
  }

  @Override
  public Treatment treatment() {
    String why = "override by " + author + ": " + reason;
    return switch (kind) {
      case ALLOW -> new Treatment(Treatment.Kind.EXEMPT, Tier.NORMAL, why);
      case BLOCK -> new Treatment(Treatment.Kind.REFUSED, Tier.NORMAL, why);
      case PIN -> new Treatment(Treatment.Kind.PINNED, tier, why);
    };
  }
}
