package dev.weir.server.policy;

import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.TokenBucket;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The policies by name, each with its limiter. Safe for use by several threads: a decision sees one
 * policy or the other, never a mixture.
 */
public final class PolicyRegistry {

  /** The most policies at one time: 1,000. */
  public static final int MAX_POLICIES = 1_000;

  /** The policy that is there from the start. */
  public static final RateLimitPolicy DEMO =
      RateLimitPolicy.of("demo", TokenBucket.interval(10, 1, Duration.ofSeconds(1)));

  private final LimiterFactory factory;
  private final Map<String, RateLimiter> limiters = new ConcurrentHashMap<>();

  /** A registry with the policy {@code demo}. */
  public PolicyRegistry(LimiterFactory factory) {
    this.factory = factory;
    limiters.put(DEMO.name(), factory.limiter(DEMO));
  }

  /** The limiter of a policy. */
  public Optional<RateLimiter> limiter(String name) {
    return Optional.ofNullable(limiters.get(name));
  }

  /** All policies by name. */
  public List<RateLimitPolicy> policies() {
    return limiters.values().stream()
        .map(RateLimiter::policy)
        .sorted(Comparator.comparing(RateLimitPolicy::name))
        .toList();
  }

  /**
   * Adds a policy, or changes the one of its name; what was used is kept.
   *
   * @return whether it was put; false if there are {@link #MAX_POLICIES} already
   */
  public synchronized boolean put(RateLimitPolicy policy) {
    RateLimiter limiter = limiters.get(policy.name());
    if (limiter != null) {
      limiter.changePolicy(policy);
      return true;
    }
    if (limiters.size() >= MAX_POLICIES) {
      return false;
    }
    limiters.put(policy.name(), factory.limiter(policy));
    return true;
  }
}
