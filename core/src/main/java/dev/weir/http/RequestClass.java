package dev.weir.http;

import dev.weir.adaptive.RouteClass;

/** What kind of request it is, for exempting kinds of them. */
public enum RequestClass {
  /** A browser asks whether it may send another request: an OPTIONS with what CORS asks for. */
  PREFLIGHT,
  /** A GET or HEAD of a file of a page, by its ending: style, script, picture, font. */
  STATIC,
  /** Anything else. */
  ORDINARY;

  /** The class of a request. */
  public static RequestClass of(HttpRequestView request) {
    if (isPreflight(request)) {
      return PREFLIGHT;
    }
    boolean read = RouteKey.method(request.method()).equals("GET");
    return read && RouteClass.of(request.path()) == RouteClass.STATIC ? STATIC : ORDINARY;
  }

  /** Whether it is a real preflight. An OPTIONS without what makes it one is a request like any. */
  public static boolean isPreflight(HttpRequestView request) {
    return request.method().equals("OPTIONS")
        && request.header("Origin") != null
        && request.header("Access-Control-Request-Method") != null;
  }
}
