package dev.weir.server.policy;

import dev.weir.adaptive.RouteClass;
import dev.weir.config.ConfigException;
import dev.weir.config.Fields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which requests something is for, as fields: {@code domain}, {@code method}, {@code route} and
 * {@code class}, each a text or a list of texts.
 */
final class MatchFields {

  private static final String DOMAIN = "domain";
  private static final String METHOD = "method";
  private static final String ROUTE = "route";
  private static final String CLASS = "class";
  private static final List<String> KNOWN = List.of(DOMAIN, METHOD, ROUTE, CLASS);
  private static final int MOST = 100;
  private static final Pattern METHOD_NAME = Pattern.compile("[A-Z]{1,20}");
  private static final Pattern DOMAIN_NAME = Pattern.compile("[a-z0-9][a-z0-9._:-]{0,252}");
  private static final Map<String, RouteClass> CLASSES = classes();

  private MatchFields() {}

  private static Map<String, RouteClass> classes() {
    Map<String, RouteClass> classes = new LinkedHashMap<>();
    for (RouteClass each : RouteClass.values()) {
      classes.put(each.name().toLowerCase(Locale.ROOT), each);
    }
    return classes;
  }

  /** Reads a match, or the word {@code any}. */
  static RequestMatch readAny(@Nullable Object object, String path) {
    if ("any".equals(object)) {
      return RequestMatch.ANY;
    }
    if (object instanceof String text) {
      throw new ConfigException(
          path,
          "must be the word any or an object with some of domain, method, route, class, and was '"
              + text
              + "'");
    }
    return read(object, path, List.of());
  }

  /** Reads a match that stands among other fields. */
  static RequestMatch read(@Nullable Object object, String path, List<String> others) {
    Fields fields = new Fields(object, path);
    List<String> known = new ArrayList<>(KNOWN);
    known.addAll(others);
    fields.onlyKnown(known);
    if (KNOWN.stream().noneMatch(fields::has)) {
      throw new ConfigException(
          path,
          "must have at least one of domain, method, route, class; "
              + (others.isEmpty()
                  ? "write match: any for all"
                  : "what all requests cost is the policy's own cost"));
    }
    return new RequestMatch(
        Set.copyOf(texts(fields, DOMAIN, MatchFields::domain)),
        Set.copyOf(texts(fields, METHOD, MatchFields::method)),
        texts(fields, ROUTE, RoutePattern::parse),
        Set.copyOf(texts(fields, CLASS, MatchFields::routeClass)));
  }

  private static String domain(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    if (!DOMAIN_NAME.matcher(lower).matches()) {
      throw new IllegalArgumentException(
          "must be a name like shop or api.example.org, and was '" + text + "'");
    }
    return lower;
  }

  private static String method(String text) {
    if (!METHOD_NAME.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "must be a method in capitals like GET or POST, and was '" + text + "'");
    }
    return text;
  }

  private static RouteClass routeClass(String text) {
    RouteClass found = CLASSES.get(text);
    if (found == null) {
      throw new IllegalArgumentException(
          "must be one of " + String.join(", ", CLASSES.keySet()) + ", and was '" + text + "'");
    }
    return found;
  }

  private static <T> List<T> texts(Fields fields, String name, Function<String, T> parse) {
    if (!fields.has(name)) {
      return List.of();
    }
    Object value = fields.get(name);
    boolean isList = value instanceof List;
    List<?> texts = isList ? list(value, fields.path(name), MOST) : List.of(fields.text(name));
    Set<T> read = new LinkedHashSet<>();
    for (int i = 0; i < texts.size(); i++) {
      String path = fields.path(name) + (isList ? "[" + i + "]" : "");
      if (!(texts.get(i) instanceof String text)) {
        throw new ConfigException(path, "must be a text, and was " + Fields.shown(texts.get(i)));
      }
      try {
        read.add(parse.apply(text));
      } catch (IllegalArgumentException e) {
        throw new ConfigException(path, String.valueOf(e.getMessage()));
      }
    }
    return List.copyOf(read);
  }

  /** A list that must have an entry. */
  static List<?> list(@Nullable Object value, String path, int most) {
    if (!(value instanceof List<?> list)) {
      throw new ConfigException(path, "must be a list, and was " + Fields.shown(value));
    }
    if (list.isEmpty() || list.size() > most) {
      throw new ConfigException(
          path, "must have from 1 to %d entries, and had %d".formatted(most, list.size()));
    }
    return list;
  }
}
