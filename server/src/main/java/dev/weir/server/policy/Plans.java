package dev.weir.server.policy;

import dev.weir.RateLimitPolicy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Limits of their own for subjects with a plan.
 *
 * @param by what tells the plan of a request
 * @param limits the limits by the plan's name; each has a state of its own
 */
public record Plans(KeyPart by, Map<String, RateLimitPolicy> limits) {

  /** Nobody has a plan. */
  public static final Plans NONE = new Plans(new KeyPart(KeyPart.Kind.EVERYONE, ""), Map.of());

  /** Copies the map. */
  public Plans {
    limits = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(limits));
  }

  /** The plan of a request, if it has one that there are limits for. */
  Optional<String> planOf(RequestAttributes request) {
    return Optional.of(by.valueOf(request)).filter(limits::containsKey);
  }
}
