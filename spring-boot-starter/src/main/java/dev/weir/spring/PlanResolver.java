package dev.weir.spring;

import java.util.Optional;

/**
 * Tells by which plan of a policy a key is judged, at each call: such as {@code gold} for customers
 * who pay. Make a bean of it. It must be quick and must not block, since it is asked on the thread
 * of the call; keep in a cache what has to be looked up. Must be safe for use by several threads.
 *
 * <p>On Redis all plans of a policy have one state for each key, so that who changes plans keeps
 * what was used. In memory each plan has a state of its own.
 */
@FunctionalInterface
public interface PlanResolver {

  /**
   * The plan.
   *
   * @param policy the name of the policy
   * @param key whom a call is charged to, such as {@code user:123}
   * @return one of {@code weir.policies.NAME.plans}; nothing for the policy's own limits, which
   *     also judge if there is no such plan
   */
  Optional<String> planOf(String policy, String key);
}
