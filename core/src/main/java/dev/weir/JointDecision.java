package dev.weir;

import java.util.List;
import java.util.Optional;

/**
 * The answer to a call that is charged to several keys. Immutable.
 *
 * @param parts the parts in the order asked for
 * @param decisions what was decided of each that was asked: all of them if the call is allowed; up
 *     to the refusal, in the order in which groups of keys were asked, if not
 */
public record JointDecision(List<JointPart> parts, List<Decision> decisions) {

  /** Copies the lists. */
  public JointDecision {
    parts = List.copyOf(parts);
    decisions = List.copyOf(decisions);
  }

  /** Whether the call may go on; if so all parts are charged, and otherwise none. */
  public boolean allowed() {
    return decisions.stream().allMatch(Decision::allowed);
  }

  /** The longest wait of those that refused; {@link Wait#NONE} if allowed. */
  public Wait retryAfter() {
    return refusal().map(Decision::retryAfter).orElse(Wait.NONE);
  }

  /** The decision that refused; of several the one with the longest wait. Empty if allowed. */
  public Optional<Decision> refusal() {
    Decision longest = null;
    for (Decision decision : decisions) {
      if (!decision.allowed() && (longest == null || isLonger(decision, longest))) {
        longest = decision;
      }
    }
    return Optional.ofNullable(longest);
  }

  private static boolean isLonger(Decision decision, Decision than) {
    if (than.retryAfter().isNever() || decision.retryAfter().isNever()) {
      return !than.retryAfter().isNever();
    }
    return decision.retryAfter().toMicros() > than.retryAfter().toMicros();
  }

  /** The limit that refused, as policy and name: {@code api/per-day}. Empty if allowed. */
  public Optional<String> limitedBy() {
    return refusal().map(it -> it.policy().name() + "/" + it.limitedBy().orElseThrow());
  }
}
