package dev.weir.http;

import dev.weir.adaptive.RouteTemplate;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a limit for each route counts by: the method and the route's pattern, never the text of a
 * request where a pattern is known. An immutable value.
 *
 * @param method the method; HEAD is GET, and what is no method of HTTP is {@code OTHER}
 * @param route the route's pattern
 */
public record RouteKey(String method, String route) {

  private static final Set<String> METHODS =
      Set.of("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT");

  /**
   * The key of a request.
   *
   * @param template the pattern that the framework matched; {@code null} to make one of the path,
   *     by {@link RoutePath#normal} and {@link RouteTemplate}
   */
  public static RouteKey of(String method, @Nullable String template, String path) {
    return new RouteKey(
        method(method), template == null ? RouteTemplate.of(RoutePath.normal(path)) : template);
  }

  /** The key of a request. */
  public static RouteKey of(HttpRequestView request) {
    return of(request.method(), request.route(), request.path());
  }

  /** A method as limits count it. Methods are case-sensitive: {@code get} is none. */
  public static String method(String method) {
    if (method.equals("HEAD")) {
      return "GET";
    }
    return METHODS.contains(method) ? method : "OTHER";
  }

  /** The method and the pattern: {@code GET /orders/{id}}. */
  public String text() {
    return method + ' ' + route;
  }
}
