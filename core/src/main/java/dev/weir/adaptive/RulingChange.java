package dev.weir.adaptive;

import java.util.Objects;
import java.util.Optional;

/**
 * Who changed what about whom, and why: an entry of the audit trail.
 *
 * @param atMicros when, since the epoch
 * @param kind what was done
 * @param target whom it is about, as {@link Ruling#target}
 * @param ruling what was set, or lifted; empty for {@link Kind#FORGOTTEN}
 * @param author who did it
 * @param reason why
 */
public record RulingChange(
    long atMicros,
    Kind kind,
    String target,
    Optional<Ruling> ruling,
    String author,
    String reason) {

  /** What can be done. */
  public enum Kind {
    /** A ruling was made, or another one in its place. */
    SET,
    /** A ruling was lifted before it ended. */
    LIFTED,
    /** What is known of a subject was forgotten, a running block with it. */
    FORGOTTEN
  }

  /** Checks for null. */
  public RulingChange {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(target, "target");
    Objects.requireNonNull(ruling, "ruling");
    Objects.requireNonNull(author, "author");
    Objects.requireNonNull(reason, "reason");
  }
}
