package dev.weir.server.decide;

import dev.weir.Decision;
import dev.weir.adaptive.Standing;
import dev.weir.server.policy.RequestAttributes;

/**
 * Is told of every decision and outcome, for figures. Called on the thread that completes a call:
 * must be quick, must not block, must not throw. Must be safe for use by several threads.
 */
public interface DecisionObserver {

  /** A request was decided. */
  void decided(RequestAttributes request, RequestDecision ruling);

  /**
   * A call was decided by the name of its policy.
   *
   * @param limits the name of the policy, or of a plan with its policy's
   */
  void decided(String limits, String key, Decision decision);

  /**
   * The application answered a request.
   *
   * @param standing how the subject stands after it
   */
  void reported(
      String policy,
      String limits,
      String key,
      RequestAttributes request,
      int status,
      Standing standing);

  /** Whether what is missing for a subject may be taken as missing for people in general. */
  boolean isInGoodStanding(String limits, String key);
}
