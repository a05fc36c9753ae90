package dev.weir.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is looked at of a request, whatever framework it came through. An integration makes one for
 * each request; it is used by one thread at a time.
 */
public interface HttpRequestView {

  /** The method as sent. */
  String method();

  /** The path without its query, as the framework matches it: decoded if the framework decodes. */
  String path();

  /** The pattern of the route that the framework matched; {@code null} if none is known. */
  @Nullable String route();

  /** The address at the other end of the connection; {@code null} if there is none. */
  @Nullable String peer();

  /** The values of a header, one for each line, in their order; empty if there is none. */
  List<String> headers(String name);

  /** Who is signed in; {@code null} if nobody is. */
  @Nullable String principal();

  /**
   * A claim of a verified token, such as {@code sub} of a JWT; {@code null} if there is none.
   * Integrations give only what has been verified.
   */
  default @Nullable String claim(String name) {
    return null;
  }

  /** The first value of a header; {@code null} if there is none. */
  default @Nullable String header(String name) {
    List<String> values = headers(name);
    return values.isEmpty() ? null : values.get(0);
  }
}
