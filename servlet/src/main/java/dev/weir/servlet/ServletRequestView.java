package dev.weir.servlet;

import dev.weir.http.HttpRequestView;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request as the servlet container gives it. Extend it to tell the route that a framework matched
 * or the claims of a token, and give that to {@link RateLimitFilter.Builder#requestView}.
 */
public class ServletRequestView implements HttpRequestView {

  private final HttpServletRequest request;

  /** A view of a request. */
  public ServletRequestView(HttpServletRequest request) {
    this.request = Objects.requireNonNull(request, "request");
  }

  /** The request. */
  public final HttpServletRequest request() {
    return request;
  }

  @Override
  public String method() {
    return request.getMethod();
  }

  /** The path below the context, as the container matched it: decoded, without parameters. */
  @Override
  public String path() {
    try {
      String servlet = request.getServletPath();
      String info = request.getPathInfo();
      return info == null ? servlet : servlet + info;
    } catch (IllegalArgumentException e) {
      // Jetty does not decode a path that could be read in two ways.
      return request.getRequestURI().substring(request.getContextPath().length());
    }
  }

  @Override
  public @Nullable String route() {
    return null;
  }

  @Override
  public @Nullable String peer() {
    return request.getRemoteAddr();
  }

  @Override
  public List<String> headers(String name) {
    Enumeration<String> values = request.getHeaders(name);
    return values == null ? List.of() : Collections.list(values);
  }

  @Override
  public @Nullable String header(String name) {
    return request.getHeader(name);
  }

  @Override
  public @Nullable String principal() {
    Principal principal = request.getUserPrincipal();
    return principal == null ? null : principal.getName();
  }

  /** The pattern by which the container chose the servlet: {@code /api/*}. */
  String mapping() {
    return request.getHttpServletMapping().getPattern();
  }
}
