package dev.weir.spring;

import dev.weir.Decision;
import java.util.Objects;

/** A call was refused by a limit, and has not run. */
public final class RateLimitExceededException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Decision decision;

  /**
   * Makes an exception.
   *
   * @param decision the refusal
   */
  public RateLimitExceededException(Decision decision) {
    super(
        "policy '%s' refused by its limit %s; it would be admitted after %s"
            .formatted(
                decision.policy().name(), decision.limitedBy().orElse("?"), decision.retryAfter()));
    this.decision = Objects.requireNonNull(decision, "decision");
  }

  /** The refusal, which says how long to wait. */
  public Decision decision() {
    return decision;
  }
}
