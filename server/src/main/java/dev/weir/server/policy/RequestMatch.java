package dev.weir.server.policy;

import dev.weir.adaptive.RouteClass;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Which requests something is for: those that fit every list that is not empty. Immutable.
 *
 * @param domains the domains, in lower case
 * @param methods the methods, in upper case
 * @param routes the routes
 * @param classes what paths are for
 */
public record RequestMatch(
    Set<String> domains, Set<String> methods, List<RoutePattern> routes, Set<RouteClass> classes) {

  /** Every request. */
  public static final RequestMatch ANY = new RequestMatch(Set.of(), Set.of(), List.of(), Set.of());

  /** Copies the lists. */
  public RequestMatch {
    domains = Set.copyOf(domains);
    methods = Set.copyOf(methods);
    routes = List.copyOf(routes);
    classes = Set.copyOf(classes);
  }

  /** Whether a request fits. */
  boolean matches(RequestAttributes request, RequestPath path) {
    if (!domains.isEmpty() && !domains.contains(request.domain().toLowerCase(Locale.ROOT))) {
      return false;
    }
    if (!methods.isEmpty() && !methods.contains(request.method())) {
      return false;
    }
    if (!classes.isEmpty() && !classes.contains(path.routeClass())) {
      return false;
    }
    return routes.isEmpty()
        || routes.stream().anyMatch(it -> it.matches(request.route(), path.segments()));
  }
}
