package dev.weir.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;

/** A request put together by hand. */
@NullUnmarked
final class FakeRequest implements HttpRequestView {

  private String method = "GET";
  private String path = "/";
  private String route;
  private String peer;
  private String principal;
  private final Map<String, List<String>> headers = new HashMap<>();
  private final Map<String, String> claims = new HashMap<>();

  FakeRequest method(String method) {
    this.method = method;
    return this;
  }

  FakeRequest path(String path) {
    this.path = path;
    return this;
  }

  FakeRequest route(String route) {
    this.route = route;
    return this;
  }

  FakeRequest peer(String peer) {
    this.peer = peer;
    return this;
  }

  FakeRequest principal(String principal) {
    this.principal = principal;
    return this;
  }

  FakeRequest claim(String name, String value) {
    claims.put(name, value);
    return this;
  }

  /** Adds a line of a header. */
  FakeRequest header(String name, String value) {
    headers.computeIfAbsent(name.toLowerCase(Locale.ROOT), it -> new ArrayList<>()).add(value);
    return this;
  }

  @Override
  public String method() {
    return method;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public String route() {
    return route;
  }

  @Override
  public String peer() {
    return peer;
  }

  @Override
  public List<String> headers(String name) {
    return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
  }

  @Override
  public String principal() {
    return principal;
  }

  @Override
  public String claim(String name) {
    return claims.get(name);
  }
}
