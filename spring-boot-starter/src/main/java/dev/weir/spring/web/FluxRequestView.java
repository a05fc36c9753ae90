package dev.weir.spring.web;

import dev.weir.http.HttpRequestView;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;

/** A request of WebFlux. */
record FluxRequestView(ServerHttpRequest request, @Nullable String principal)
    implements HttpRequestView {

  @Override
  public String method() {
    return request.getMethod().name();
  }

  @Override
  public String path() {
    return request.getPath().pathWithinApplication().value();
  }

  @Override
  public @Nullable String route() {
    return null;
  }

  @Override
  public @Nullable String peer() {
    InetSocketAddress remote = request.getRemoteAddress();
    // One that a filter has read from a header has no address, but a name.
    return remote == null
        ? null
        : remote.getAddress() == null
            ? remote.getHostString()
            : remote.getAddress().getHostAddress();
  }

  @Override
  public List<String> headers(String name) {
    // Spring 6 has a map here and Spring 7 has none; this method both have.
    List<String> found = new ArrayList<>();
    request
        .getHeaders()
        .forEach(
            (header, values) -> {
              if (header.equalsIgnoreCase(name)) {
                found.addAll(values);
              }
            });
    return found;
  }
}
