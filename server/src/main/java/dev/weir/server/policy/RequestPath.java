package dev.weir.server.policy;

import dev.weir.adaptive.CallReader;
import dev.weir.adaptive.RouteClass;
import java.util.List;

/**
 * A path as policies look at it, made once for each request.
 *
 * @param segments its segments, from {@link RoutePath}
 * @param routeClass what it is for
 */
record RequestPath(List<String> segments, RouteClass routeClass) {

  static RequestPath of(RequestAttributes request) {
    String decoded = CallReader.decoded(request.path());
    return new RequestPath(RoutePath.segments(decoded), RouteClass.of(decoded));
  }
}
