package dev.weir.config;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as people write them: {@code 250ms}, {@code 1s}, {@code 90m}, {@code 12h}, {@code 7d},
 * {@code 500us}, and several together from the longest unit to the shortest, {@code 1h30m}.
 */
public final class DurationText {

  private static final Map<String, ChronoUnit> UNITS = units();
  private static final Pattern PART = Pattern.compile("(\\d{1,18})(us|ms|s|m|h|d)");
  private static final int LONGEST_TEXT = 64;

  private DurationText() {}

  // From the longest to the shortest.
  private static Map<String, ChronoUnit> units() {
    Map<String, ChronoUnit> units = new LinkedHashMap<>();
    units.put("d", ChronoUnit.DAYS);
    units.put("h", ChronoUnit.HOURS);
    units.put("m", ChronoUnit.MINUTES);
    units.put("s", ChronoUnit.SECONDS);
    units.put("ms", ChronoUnit.MILLIS);
    units.put("us", ChronoUnit.MICROS);
    return units;
  }

  /**
   * Reads a duration.
   *
   * @throws IllegalArgumentException if the text is not a duration; the message says what is
   */
  public static Duration parse(String text) {
    if (text.isEmpty() || text.length() > LONGEST_TEXT) {
      throw malformed(text);
    }
    Matcher part = PART.matcher(text);
    Duration sum = Duration.ZERO;
    Duration lastUnit = Duration.ofDays(2);
    int at = 0;
    while (at < text.length()) {
      if (!part.find(at) || part.start() != at) {
        throw malformed(text);
      }
      Duration unit = unit(part.group(2));
      if (unit.compareTo(lastUnit) >= 0) {
        throw malformed(text);
      }
      sum = plus(text, sum, unit, Long.parseLong(part.group(1)));
      lastUnit = unit;
      at = part.end();
    }
    return sum;
  }

  private static Duration unit(String name) {
    ChronoUnit unit = UNITS.get(name);
    if (unit == null) {
      throw malformed(name);
    }
    return unit.getDuration();
  }

  private static Duration plus(String text, Duration sum, Duration unit, long count) {
    try {
      return sum.plus(unit.multipliedBy(count));
    } catch (ArithmeticException | DateTimeException e) {
      throw new IllegalArgumentException("'" + text + "' is longer than any duration", e);
    }
  }

  private static IllegalArgumentException malformed(String text) {
    String shown = text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) + "..." : text;
    return new IllegalArgumentException(
        "'" + shown + "' is not a duration; write one like 250ms, 1s, 90m, 12h, 7d or 1h30m");
  }

  /**
   * The shortest text that {@link #parse} reads as the same duration: one unit if one does.
   *
   * @throws IllegalArgumentException if it is negative or not a whole number of microseconds
   */
  public static String format(Duration duration) {
    if (duration.isNegative() || duration.toNanosPart() % 1000 != 0) {
      throw new IllegalArgumentException(
          "a duration here is a whole number of microseconds, 0 or more, and was " + duration);
    }
    if (duration.isZero()) {
      return "0s";
    }
    StringBuilder text = new StringBuilder();
    Duration rest = duration;
    for (Map.Entry<String, ChronoUnit> unit : UNITS.entrySet()) {
      Duration length = unit.getValue().getDuration();
      long count = rest.dividedBy(length);
      if (count > 0) {
        text.append(count).append(unit.getKey());
        rest = rest.minus(length.multipliedBy(count));
      }
    }
    return text.toString();
  }
}
