package dev.weir.server.policy;

import dev.weir.RateLimitPolicy;
import dev.weir.adaptive.AdaptivePolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A policy of the service: which requests it is for, whom it counts them for, and its limits.
 * Immutable.
 *
 * @param limits the limits, and the policy's name
 * @param match which requests it is for; empty if it is used by its name only
 * @param key whom a request is counted for
 * @param cost what a request costs that no rule is for
 * @param costs what requests of some kind cost; the first that matches
 * @param isShadow whether refusals are only told
 * @param adaptive how the limits adapt to behaviour
 * @param plans limits of their own for some subjects
 * @param fields the same as it is written, with what is the default left out
 */
public record PolicyDefinition(
    RateLimitPolicy limits,
    Optional<RequestMatch> match,
    KeyRule key,
    long cost,
    List<CostRule> costs,
    boolean isShadow,
    AdaptivePolicy adaptive,
    Plans plans,
    Map<String, Object> fields) {

  /** Copies the list. */
  public PolicyDefinition {
    costs = List.copyOf(costs);
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // Most of a set of policies stays as it is in a change.
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof PolicyDefinition policy && policy.fields.equals(fields));
  }

  @Override
  public int hashCode() {
    return fields.hashCode();
  }

  /** The name. */
  public String name() {
    return limits.name();
  }

  /** Whether the policy is for a request. */
  boolean isFor(RequestAttributes request, RequestPath path) {
    return match.isPresent() && match.get().matches(request, path);
  }

  /** What a request costs. */
  long costOf(RequestAttributes request, RequestPath path) {
    for (CostRule rule : costs) {
      if (rule.match().matches(request, path)) {
        return rule.cost();
      }
    }
    return cost;
  }
}
