package dev.weir.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads lists of items with parameters, the form of quota headers (RFC 9651). Pure. */
final class ListItems {

  /**
   * An item.
   *
   * @param name its value, without quotes
   * @param parameters its parameters as sent, without quotes; of several of one name the last
   */
  record Item(String name, Map<String, String> parameters) {

    /** A parameter that is a whole number, 0 or more; nothing if it is not there or is none. */
    Optional<Long> number(String parameter) {
      String value = parameters.get(parameter);
      return value != null && value.matches("\\d{1,15}")
          ? Optional.of(Long.parseLong(value))
          : Optional.empty();
    }
  }

  private static final int LONGEST = 8192;
  private static final String STRING = "\"((?:[^\"\\\\]|\\\\[\"\\\\])*+)\"";
  private static final String BARE = "([A-Za-z0-9*!#$%&'+.^_`|~:/@=-]++)";
  private static final Pattern NAME = Pattern.compile("(?:" + STRING + "|([^\"=;,\\s]++))");
  private static final Pattern PARAMETER =
      Pattern.compile("[ ]*;[ ]*([A-Za-z*][A-Za-z0-9_.*-]*+)(?:=(?:" + STRING + "|" + BARE + "))?");
  private static final Pattern COMMA = Pattern.compile("[ \\t]*,[ \\t]*");

  private ListItems() {}

  /** The items of all lines; none if one of them is malformed. */
  static List<Item> of(List<String> lines) {
    List<Item> items = new ArrayList<>();
    for (String line : lines) {
      String text = line.strip();
      if (text.length() > LONGEST || !addTo(items, text)) {
        return List.of();
      }
    }
    return items;
  }

  private static boolean addTo(List<Item> items, String text) {
    int at = 0;
    while (true) {
      Matcher name = NAME.matcher(text).region(at, text.length());
      if (!name.lookingAt()) {
        return false;
      }
      at = name.end();
      Map<String, String> parameters = new LinkedHashMap<>();
      Matcher parameter = PARAMETER.matcher(text).region(at, text.length());
      while (parameter.lookingAt()) {
        parameters.put(
            parameter.group(1).toLowerCase(Locale.ROOT),
            value(parameter.group(2), parameter.group(3)));
        at = parameter.end();
        parameter.region(at, text.length());
      }
      items.add(new Item(value(name.group(1), name.group(2)), parameters));
      if (at == text.length()) {
        return true;
      }
      Matcher comma = COMMA.matcher(text).region(at, text.length());
      if (!comma.lookingAt()) {
        return false;
      }
      at = comma.end();
    }
  }

  private static String value(@Nullable String quoted, @Nullable String bare) {
    return quoted != null ? quoted.replaceAll("\\\\(.)", "$1") : bare == null ? "" : bare;
  }
}
