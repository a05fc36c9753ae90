package dev.weir.server.policy;

import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.TokenBucket;
import dev.weir.adaptive.SelfCheck;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The policies that run, in their order, each with its limiters. Safe for use by several threads: a
 * decision sees one set of policies or the other, never a mixture.
 */
public final class PolicyRegistry {

  /** The most policies at one time: 1,000. */
  public static final int MAX_POLICIES = 1_000;

  /** The policy that is there from the start, unless a file says which are. */
  public static final RateLimitPolicy DEMO =
      RateLimitPolicy.of("demo", TokenBucket.interval(10, 1, Duration.ofSeconds(1)));

  private record Running(Map<String, RunningPolicy> policies, Map<String, RateLimiter> limiters) {}

  private final LimiterFactory factory;
  private final SelfCheck check = new SelfCheck();
  private volatile Running running = new Running(Map.of(), Map.of());

  /** A registry without policies. */
  public PolicyRegistry(LimiterFactory factory) {
    this.factory = factory;
  }

  /** Whether the adaptive layer itself is wrong, as all policies together see it. */
  public SelfCheck check() {
    return check;
  }

  /** The limiter of a policy, or of a plan by the names of both with a dot between. */
  public Optional<RateLimiter> limiter(String name) {
    return Optional.ofNullable(running.limiters().get(name));
  }

  /** The policy of that name. */
  public Optional<RunningPolicy> policy(String name) {
    return Optional.ofNullable(running.policies().get(name));
  }

  /** The policy that has these limits: of that name, or with a plan of that name. */
  public Optional<RunningPolicy> ownerOf(String limits) {
    Running now = running;
    RunningPolicy policy = now.policies().get(limits);
    return policy != null
        ? Optional.of(policy)
        : now.policies().values().stream()
            .filter(it -> it.limiters().containsKey(limits))
            .findFirst();
  }

  /** All policies, in the order in which they are tried for a request. */
  public List<RunningPolicy> policies() {
    return List.copyOf(running.policies().values());
  }

  /** The first policy that is for a request. */
  public Optional<RunningPolicy> find(RequestAttributes request) {
    RequestPath path = RequestPath.of(request);
    for (RunningPolicy policy : running.policies().values()) {
      if (policy.definition().isFor(request, path)) {
        return Optional.of(policy);
      }
    }
    return Optional.empty();
  }

  /**
   * Replaces all policies. Those whose names stay keep what was used.
   *
   * @param definitions in the order in which they are tried; of two of one name the first counts
   */
  public synchronized void replaceAll(List<PolicyDefinition> definitions) {
    Running before = running;
    Map<String, RunningPolicy> policies = new LinkedHashMap<>();
    Map<String, RateLimiter> limiters = new LinkedHashMap<>();
    for (PolicyDefinition definition : definitions) {
      if (!policies.containsKey(definition.name())) {
        RunningPolicy policy =
            RunningPolicy.of(definition, before.policies().get(definition.name()), factory, check);
        policies.put(policy.name(), policy);
        policy.limiters().forEach(limiters::putIfAbsent);
      }
    }
    running =
        new Running(
            java.util.Collections.unmodifiableMap(policies),
            java.util.Collections.unmodifiableMap(limiters));
  }
}
