package dev.weir.config;

import dev.weir.Limit;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one object as a JSON or YAML reader gives it, read with errors that name the field.
 * Every method throws {@link ConfigException} for a field that cannot be used.
 */
public final class Fields {

  private static final int MOST_LISTED = 20;

  private final Map<?, ?> values;
  private final String path;

  /**
   * Wraps an object.
   *
   * @param object what a JSON or YAML reader gave
   * @param path the path of the object; empty for the whole
   */
  public Fields(@Nullable Object object, String path) {
    if (!(object instanceof Map<?, ?> map)) {
      String whole = path.isEmpty() ? "this " : "";
      throw new ConfigException(
          path, whole + "must be an object with fields, and was " + shown(object));
    }
    this.values = map;
    this.path = path;
  }

  /** The path of a field, for errors. */
  public String path(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  /** Refuses fields that are not among the known ones. */
  public void onlyKnown(List<String> known) {
    for (Object name : values.keySet()) {
      String text = String.valueOf(name);
      if (!known.contains(text)) {
        throw new ConfigException(
            path(clipped(text)), "there is no such field" + remedy(text, known));
      }
    }
  }

  /** The field that was meant, or else those there are, if they are not too many to read. */
  private static String remedy(String text, List<String> known) {
    String suggestion = Suggestion.of(text, known);
    if (!suggestion.isEmpty()) {
      return suggestion;
    }
    return known.size() > MOST_LISTED
        ? "; the documentation lists those there are"
        : "; the fields here are " + String.join(", ", known);
  }

  /** Whether the field is there and not null. */
  public boolean has(String name) {
    return values.get(name) != null;
  }

  /** The value of a field; {@code null} if it is not there. */
  public @Nullable Object get(String name) {
    return values.get(name);
  }

  /** A text that must be there. */
  public String text(String name) {
    Object value = required(name);
    if (!(value instanceof String text)) {
      String remedy =
          value instanceof Number || value instanceof Boolean ? "; put it in quotes" : "";
      throw new ConfigException(path(name), "must be a text, and was " + shown(value) + remedy);
    }
    return text;
  }

  long permits(String name) {
    return wholeNumber(name, 1, Limit.MAX_PERMITS);
  }

  /** A whole number that must be there, and in a range. */
  public long wholeNumber(String name, long least, long most) {
    Object value = required(name);
    if (value instanceof Integer || value instanceof Long) {
      long number = ((Number) value).longValue();
      if (number >= least && number <= most) {
        return number;
      }
    }
    throw new ConfigException(
        path(name),
        "must be a whole number from " + least + " to " + most + ", and was " + shown(value));
  }

  Duration duration(String name) {
    if (required(name) instanceof Number number) {
      throw new ConfigException(
          path(name),
          "must be a duration with its unit, such as " + number + "s, and was " + number);
    }
    String text = text(name);
    try {
      return DurationText.parse(text);
    } catch (IllegalArgumentException e) {
      throw ConfigException.of(path(name), e);
    }
  }

  /** A duration that must be there, and in a range. */
  public Duration duration(String name, Duration least, Duration most) {
    Duration duration = duration(name);
    if (duration.compareTo(least) < 0 || duration.compareTo(most) > 0) {
      throw new ConfigException(
          path(name),
          "must be from %s to %s, and was %s"
              .formatted(
                  DurationText.format(least),
                  DurationText.format(most),
                  DurationText.format(duration)));
    }
    return duration;
  }

  /** A time zone. */
  ZoneId zone(String name) {
    String text = text(name);
    try {
      return ZoneId.of(text);
    } catch (DateTimeException e) {
      throw new ConfigException(
          path(name),
          "must be a time zone such as Europe/Berlin, UTC or +05:30, and was '"
              + clipped(text)
              + "'"
              + Suggestion.of(text, ZoneId.getAvailableZoneIds().stream().sorted().toList()));
    }
  }

  /**
   * One of the constants of an enum, written in lower case with hyphens.
   *
   * @param absent what a field that is not there means; {@code null} if it must be there
   */
  public <E extends Enum<E>> E word(String name, E[] constants, @Nullable E absent) {
    if (absent != null && !has(name)) {
      return absent;
    }
    if (!has(name)) {
      throw new ConfigException(
          path(name),
          "is missing; write one of "
              + String.join(", ", Arrays.stream(constants).map(Fields::word).toList()));
    }
    String text = text(name);
    List<String> words = Arrays.stream(constants).map(Fields::word).toList();
    int index = words.indexOf(text);
    if (index < 0) {
      throw new ConfigException(
          path(name),
          "must be one of "
              + String.join(", ", words)
              + ", and was '"
              + clipped(text)
              + "'"
              + Suggestion.of(text, words));
    }
    return constants[index];
  }

  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
  }

  private Object required(String name) {
    Object value = values.get(name);
    if (value == null) {
      throw new ConfigException(path(name), "is missing; add it");
    }
    return value;
  }

  /** A value as an error message shows it. */
  public static String shown(@Nullable Object value) {
    if (value == null) {
      return "null";
    }
    if (value instanceof String text) {
      return "'" + clipped(text) + "'";
    }
    if (value instanceof Map) {
      return "an object";
    }
    if (value instanceof List) {
      return "a list";
    }
    return clipped(String.valueOf(value));
  }

  static String clipped(String text) {
    return text.length() <= 60 ? text : text.substring(0, 60) + "...";
  }
}
