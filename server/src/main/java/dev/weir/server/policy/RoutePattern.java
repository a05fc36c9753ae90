package dev.weir.server.policy;

import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of paths: {@code /orders/{id}}, where {@code {id}} or {@code *} is one segment, and
 * {@code **} at the end any number of them. Immutable.
 */
public final class RoutePattern {

  private static final String REST = "**";
  private static final Pattern SEGMENT =
      Pattern.compile("\\*|\\{[A-Za-z_][A-Za-z0-9_]*}|[^*{}?#]+");
  private static final int LONGEST = 256;

  private final String text;
  private final List<String> segments;
  private final boolean hasRest;

  private RoutePattern(String text, List<String> segments, boolean hasRest) {
    this.text = text;
    this.segments = segments;
    this.hasRest = hasRest;
  }

  /**
   * Reads a pattern.
   *
   * @throws IllegalArgumentException if it is none; the message says why and what to write
   */
  public static RoutePattern parse(String text) {
    if (!text.startsWith("/") || text.length() > LONGEST) {
      throw malformed(text, "it must start with / and have at most 256 characters");
    }
    List<String> segments = RoutePath.segments(text);
    boolean hasRest = !segments.isEmpty() && segments.get(segments.size() - 1).equals(REST);
    List<String> fixed = hasRest ? segments.subList(0, segments.size() - 1) : segments;
    for (String segment : fixed) {
      if (segment.equals(REST)) {
        throw malformed(text, "** can only be its last segment");
      }
      if (!SEGMENT.matcher(segment).matches()) {
        throw malformed(
            text, "'" + segment + "' is neither plain text nor a whole segment like {id} or *");
      }
    }
    return new RoutePattern(text, List.copyOf(fixed), hasRest);
  }

  private static IllegalArgumentException malformed(String text, String why) {
    String shown = text.length() > 60 ? text.substring(0, 60) + "..." : text;
    return new IllegalArgumentException(
        "'%s' is no route: %s; write one like /login, /orders/{id} or /static/**"
            .formatted(shown, why));
  }

  /**
   * Whether a request is of this route.
   *
   * @param route the pattern that the application matched, which counts if it is the same text
   * @param path the segments of the path, from {@link RoutePath}
   */
  boolean matches(@Nullable String route, List<String> path) {
    if (text.equals(route)) {
      return true;
    }
    if (hasRest ? path.size() < segments.size() : path.size() != segments.size()) {
      return false;
    }
    for (int i = 0; i < segments.size(); i++) {
      String segment = segments.get(i);
      boolean any = segment.equals("*") || segment.startsWith("{");
      if (!any && !segment.equals(path.get(i))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RoutePattern pattern && pattern.text.equals(text);
  }

  @Override
  public int hashCode() {
    return Objects.hash(text);
  }

  @Override
  public String toString() {
    return text;
  }
}
