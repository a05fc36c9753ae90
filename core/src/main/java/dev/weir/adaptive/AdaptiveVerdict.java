package dev.weir.adaptive;

import dev.weir.Decision;

/**
 * The answer to one call, and what each part said.
 *
 * @param allowed whether the call may go on
 * @param tier the tier that was applied
 * @param base what the base limits say
 * @param adaptiveAllows whether the tier and its limits would allow it
 * @param adaptiveWaitMicros how long the tier or its limits want the caller to wait; 0 if they
 *     allow the call, -1 for never
 * @param enforced whether the tier may refuse, or only says so
 * @param isInGoodStanding whether what is missing for the subject may be taken as missing for
 *     people in general; see {@link PopularMissing}
 */
public record AdaptiveVerdict(
    boolean allowed,
    Tier tier,
    Decision base,
    boolean adaptiveAllows,
    long adaptiveWaitMicros,
    boolean enforced,
    boolean isInGoodStanding) {

  /** Whether the tier refuses, or would, what the base limits allow. */
  public boolean refusedByTierAlone() {
    return base.allowed() && !adaptiveAllows;
  }

  /** How long the caller has to wait: the longest wait of those that refused; -1 for never. */
  public long retryAfterMicros() {
    if (allowed) {
      return 0;
    }
    long baseWait = waitMicros(base);
    long adaptiveWait = enforced ? adaptiveWaitMicros : 0;
    return baseWait < 0 || adaptiveWait < 0 ? -1 : Math.max(baseWait, adaptiveWait);
  }

  static long waitMicros(Decision decision) {
    return decision.retryAfter().isNever() ? -1 : decision.retryAfter().toMicros();
  }
}
