package dev.weir.server.decide;

import dev.weir.adaptive.AdaptiveVerdict;
import dev.weir.adaptive.Treatment;

/**
 * What came of a request that a policy is for.
 *
 * @param policy the policy's name
 * @param limits the name of the limits that judged: the policy's, or that of a plan of it
 * @param key whom it was counted for
 * @param cost what it cost
 * @param verdict what the limits and the behaviour said
 * @param treatment which rule judged
 * @param isShadow whether the policy only tells its refusals
 */
public record RequestDecision(
    String policy,
    String limits,
    String key,
    long cost,
    AdaptiveVerdict verdict,
    Treatment treatment,
    boolean isShadow) {

  /** Whether the call may go on. */
  public boolean allowed() {
    return isShadow || verdict.allowed();
  }

  /** Whether the base limits alone would have let the call go on, and something else did not. */
  public boolean isBlocked() {
    return !verdict.allowed() && verdict.base().allowed();
  }
}
