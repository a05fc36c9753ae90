package dev.weir.decorate;

import dev.weir.Decision;
import dev.weir.RateLimiterException;

/** A call was not made, since its limiter refused it. */
public final class RefusedException extends RateLimiterException {

  private static final long serialVersionUID = 1L;

  private final transient Decision decision;

  /** The exception for a refusal. */
  public RefusedException(Decision decision) {
    super(
        "policy '%s' refuses the call by its limit '%s'; it is free again in %s"
            .formatted(
                decision.policy().name(), decision.limitedBy().orElse("?"), decision.retryAfter()),
        null);
    this.decision = decision;
  }

  /** Why, and when to come again. Not there after the exception was serialized. */
  public Decision decision() {
    return decision;
  }
}
