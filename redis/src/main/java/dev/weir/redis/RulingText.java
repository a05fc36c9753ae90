package dev.weir.redis;

import dev.weir.adaptive.AddressRule;
import dev.weir.adaptive.Cidr;
import dev.weir.adaptive.ManualOverride;
import dev.weir.adaptive.Ruling;
import dev.weir.adaptive.RulingChange;
import dev.weir.adaptive.Tier;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * Rulings and changes as lines of text: words with a space between them, percent-encoded where
 * somebody wrote them. What cannot be read is nothing.
 *
 * <pre>
 * ruling   since until kind tier author reason      until is - for one that does not end
 * target   subject:SUBJECT or range:RANGE
 * change   time set|lifted target author reason ruling
 *          time forgotten target author reason
 * </pre>
 */
final class RulingText {

  private static final String SUBJECT = "subject:";
  private static final String RANGE = "range:";
  private static final String DENIED = "denied";
  private static final String ALLOWED = "allowed";
  private static final String NEVER = "-";
  private static final int RULING_WORDS = 6;
  private static final int CHANGE_WORDS = 5;

  private RulingText() {}

  /** A text that somebody wrote, as one word. */
  static String word(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static String text(String word) {
    return URLDecoder.decode(word, StandardCharsets.UTF_8);
  }

  /** A target, as one word. */
  static String target(String target) {
    return target.startsWith(SUBJECT)
        ? SUBJECT + word(target.substring(SUBJECT.length()))
        : RANGE + word(target.substring(Math.min(target.length(), RANGE.length())));
  }

  /** A ruling without its times. */
  static String ruling(Ruling ruling) {
    String head;
    if (ruling instanceof ManualOverride override) {
      head = lower(override.kind()) + " " + lower(override.tier());
    } else {
      head = (((AddressRule) ruling).isDenied() ? DENIED : ALLOWED) + " " + lower(Tier.NORMAL);
    }
    return head + " " + word(ruling.author()) + " " + word(ruling.reason());
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** A line of a target and its ruling. */
  static Optional<Ruling> rulingLine(String line) {
    int space = line.indexOf(' ');
    return space < 0
        ? Optional.empty()
        : ruling(line.substring(0, space), line.substring(space + 1));
  }

  /** A ruling with its times. */
  static Optional<Ruling> ruling(String target, String value) {
    String[] words = value.split(" ", -1);
    if (words.length != RULING_WORDS) {
      return Optional.empty();
    }
    try {
      return Optional.of(read(target, words));
    } catch (IllegalArgumentException damaged) {
      return Optional.empty();
    }
  }

  private static Ruling read(String target, String[] words) {
    long since = Long.parseLong(words[0]);
    Optional<Long> until =
        words[1].equals(NEVER) ? Optional.empty() : Optional.of(Long.parseLong(words[1]));
    String kind = words[2];
    String author = text(words[4]);
    String reason = text(words[5]);
    if (target.startsWith(RANGE)) {
      if (!kind.equals(DENIED) && !kind.equals(ALLOWED)) {
        throw new IllegalArgumentException(kind);
      }
      Cidr range = Cidr.parse(text(target.substring(RANGE.length())));
      return new AddressRule(range, kind.equals(DENIED), author, reason, since, until);
    }
    if (!target.startsWith(SUBJECT)) {
      throw new IllegalArgumentException(target);
    }
    return new ManualOverride(
        text(target.substring(SUBJECT.length())),
        ManualOverride.Kind.valueOf(kind.toUpperCase(Locale.ROOT)),
        Tier.valueOf(words[3].toUpperCase(Locale.ROOT)),
        author,
        reason,
        since,
        until);
  }

  /** A line of the audit trail. */
  static Optional<RulingChange> change(String line) {
    String[] words = line.split(" ", CHANGE_WORDS + 1);
    if (words.length < CHANGE_WORDS) {
      return Optional.empty();
    }
    try {
      RulingChange.Kind kind = RulingChange.Kind.valueOf(words[1].toUpperCase(Locale.ROOT));
      Optional<Ruling> ruling =
          words.length > CHANGE_WORDS ? ruling(words[2], words[CHANGE_WORDS]) : Optional.empty();
      if (ruling.isEmpty() != (kind == RulingChange.Kind.FORGOTTEN)) {
        return Optional.empty();
      }
      return Optional.of(
          new RulingChange(
              Long.parseLong(words[0]),
              kind,
              words[2].startsWith(SUBJECT)
                  ? SUBJECT + text(words[2].substring(SUBJECT.length()))
                  : RANGE + text(words[2].substring(RANGE.length())),
              ruling,
              text(words[3]),
              text(words[4])));
    } catch (IllegalArgumentException | IndexOutOfBoundsException damaged) {
      return Optional.empty();
    }
  }
}
