package dev.weir.spring.web;

import dev.weir.RateLimiter;
import dev.weir.http.ClientIdentity;
import dev.weir.http.HttpRequestView;
import dev.weir.http.PathPattern;
import dev.weir.http.RouteKey;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which requests are charged to whom, how much, and by which limiter. Immutable.
 *
 * @param limiter the limiter
 * @param paths requests of these paths
 * @param methods requests of these methods; all if empty
 * @param client who a request is from; {@code null} if all clients share one limit
 * @param perRoute whether each route has a limit of its own
 * @param cost how many permits
 */
public record HttpRule(
    RateLimiter limiter,
    List<PathPattern> paths,
    Set<String> methods,
    @Nullable ClientIdentity client,
    boolean perRoute,
    long cost) {

  /** The pattern that a request is of; {@code null} if of none. */
  @Nullable String match(HttpRequestView request) {
    if (!methods.isEmpty() && !methods.contains(RouteKey.method(request.method()))) {
      return null;
    }
    for (PathPattern pattern : paths) {
      if (pattern.matches(request.path())) {
        return pattern.toString();
      }
    }
    return null;
  }

  /** Whether permits are held until the request is over. */
  boolean holds() {
    return Leases.holds(limiter.policy());
  }
}
