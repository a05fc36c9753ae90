package dev.weir.adaptive;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What somebody decided by hand, and answers for: about a subject, or about a range of addresses.
 * Of two about the same {@link #target} the later one holds.
 */
public sealed interface Ruling permits ManualOverride, AddressRule {

  /** The most characters of an author, a reason or a subject. */
  int LONGEST_TEXT = 500;

  /** Whom it is about: {@code subject:} and the subject, or {@code range:} and the range. */
  String target();

  /** What it makes of a call, and why. */
  Treatment treatment();

  /** Who decided. */
  String author();

  /** Why. */
  String reason();

  /** Since when, in microseconds since the epoch. */
  long sinceMicros();

  /** Until when, in microseconds since the epoch; empty for as long as it is not lifted. */
  Optional<Long> untilMicros();

  /** The same ruling at other times. */
  Ruling during(long sinceMicros, Optional<Long> untilMicros);

  /** The same ruling beginning at a time, and lasting as long as it did. */
  default Ruling startingAt(long micros) {
    return during(micros, untilMicros().map(until -> Math.addExact(micros, until - sinceMicros())));
  }

  /**
   * The same ruling, lasting for so long.
   *
   * @throws IllegalArgumentException if that is under a millisecond or over ten years
   */
  default Ruling lasting(Duration duration) {
    if (duration.toMillis() < 1 || duration.toDays() > 3653) {
      throw new IllegalArgumentException(
          "a ruling lasts from 1 ms to 10 years, or until it is lifted, and not " + duration);
    }
    return during(sinceMicros(), Optional.of(sinceMicros() + duration.toMillis() * 1_000));
  }

  /** Whether it holds at a time. */
  default boolean holdsAt(long micros) {
    return micros >= sinceMicros() && untilMicros().map(until -> micros < until).orElse(true);
  }

  /** How {@link #target} names a subject. */
  static String subjectTarget(String subject) {
    return "subject:" + Objects.requireNonNull(subject, "subject");
  }

  /** How {@link #target} names a range. */
  static String rangeTarget(Cidr range) {
    return "range:" + range;
  }

  /** Checks that it ends after it begins. */
  static void checkTimes(long sinceMicros, Optional<Long> untilMicros) {
    if (sinceMicros < 0 || untilMicros.map(until -> until <= sinceMicros).orElse(false)) {
      throw new IllegalArgumentException(
          "an override must end after it begins, and not before 1970: from %d to %s us"
              .formatted(sinceMicros, untilMicros));
    }
  }

  /**
   * Checks a text that is kept for others to read.
   *
   * @throws IllegalArgumentException if it is blank, too long, or has half of a character
   */
  static void checkText(String what, String text) {
    Objects.requireNonNull(text, what);
    if (text.isBlank() || text.length() > LONGEST_TEXT) {
      throw new IllegalArgumentException(
          "the %s of an override must have from 1 to %d characters, and had %d"
              .formatted(what, LONGEST_TEXT, text.length()));
    }
    if (text.codePoints().anyMatch(Ruling::isHalf)) {
      throw new IllegalArgumentException(
          "the %s of an override has half of a character, a lone surrogate".formatted(what));
    }
  }

  private static boolean isHalf(int character) {
    return character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE;
  }
}
