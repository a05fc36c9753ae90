package dev.weir.http;

import java.util.List;

/**
 * A pattern of paths: segments, of which <code>{name}</code> and {@code *} stand for any one, and
 * {@code **} at the end for any number, none too. Paths are compared as {@link RoutePath} spells
 * them, so that {@code /LOGIN/} is {@code /login}. Immutable.
 */
public final class PathPattern {

  private final String text;
  private final List<String> segments;
  private final boolean open;

  private PathPattern(String text, List<String> segments, boolean open) {
    this.text = text;
    this.segments = segments;
    this.open = open;
  }

  /**
   * A pattern such as {@code /login}, {@code /orders/{id}} or {@code /api/**}.
   *
   * @throws IllegalArgumentException if it does not start with a slash, or has {@code **} before
   *     its end
   */
  public static PathPattern parse(String text) {
    boolean open = text.endsWith("/**");
    String closed = open ? text.substring(0, text.length() - 2) : text;
    if (!text.startsWith("/") || closed.contains("**")) {
      throw new IllegalArgumentException(
          "a path pattern starts with a slash and has '**' only at its end, such as /api/**, and"
              + (" this is '" + text + "'"));
    }
    return new PathPattern(text, split(RoutePath.normal(closed)), open);
  }

  private static List<String> split(String path) {
    return path.equals("/") ? List.of() : List.of(path.substring(1).split("/", -1));
  }

  /** Whether a path is of this pattern. */
  public boolean matches(String path) {
    List<String> asked = split(RoutePath.normal(path));
    if (asked.size() < segments.size() || (asked.size() > segments.size() && !open)) {
      return false;
    }
    for (int i = 0; i < segments.size(); i++) {
      String segment = segments.get(i);
      boolean any = segment.equals("*") || (segment.startsWith("{") && segment.endsWith("}"));
      if (!any && !segment.equals(asked.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** The pattern as given. */
  @Override
  public String toString() {
    return text;
  }
}
