package dev.weir.spring;

import dev.weir.RateLimiter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The limiters of an application by the names of their policies. Immutable; safe for use by several
 * threads.
 *
 * <pre>{@code
 * Decision decision = rateLimiters.get("export").tryAcquire(user);
 * }</pre>
 */
public final class RateLimiters {

  private final Map<String, RateLimiter> byName;
  private final String store;

  /**
   * Limiters.
   *
   * @param byName one for each policy, by its name
   * @param store where their state is, for people
   */
  public RateLimiters(Map<String, ? extends RateLimiter> byName, String store) {
    this.byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
    this.store = store;
  }

  /**
   * The limiter of a policy.
   *
   * @throws IllegalArgumentException if there is no such policy; the message names those there are
   */
  public RateLimiter get(String policy) {
    RateLimiter limiter = byName.get(policy);
    if (limiter == null) {
      throw new IllegalArgumentException(
          "there is no policy '%s'; %s. Add it under weir.policies, or as a RateLimitPolicy bean"
              .formatted(
                  policy,
                  byName.isEmpty()
                      ? "there is none at all"
                      : "there are " + String.join(", ", byName.keySet())));
    }
    return limiter;
  }

  /** All limiters by the names of their policies. */
  public Map<String, RateLimiter> all() {
    return byName;
  }

  /** Where their state is, for people. */
  public String store() {
    return store;
  }
}
