package dev.weir.server.api;

import dev.weir.Decision;
import dev.weir.Reservation;
import dev.weir.Settlement;
import dev.weir.Wait;
import dev.weir.adaptive.AdaptiveVerdict;
import dev.weir.server.decide.RequestDecision;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A decision as the body of an answer. */
final class DecisionBody {

  private static final String QUOTA_EXCEEDED =
      "https://iana.org/assignments/http-problem-types#quota-exceeded";

  private static final String ABNORMAL_USAGE =
      "https://iana.org/assignments/http-problem-types#abnormal-usage-detected";

  private DecisionBody() {}

  /** The members; those of a refusal are a problem (RFC 9457) as well. */
  static Map<String, Object> of(Decision decision) {
    Map<String, Object> members = new LinkedHashMap<>();
    if (!decision.allowed()) {
      members.put("type", QUOTA_EXCEEDED);
      members.put("title", "Request cannot be satisfied as assigned quota has been exceeded");
      members.put("status", 429);
      members.put("violated-policies", List.of(decision.limitedBy().orElseThrow()));
    }
    Wait wait = decision.retryAfter();
    members.put("allowed", decision.allowed());
    members.put("policy", decision.policy().name());
    members.put("limit", decision.limit());
    members.put("remaining", decision.remaining());
    members.put("retryAfterMs", wait.isNever() ? null : millis(wait.toDuration()));
    members.put("resetAfterMs", millis(decision.resetAfter()));
    members.put("delayMs", millis(decision.delay()));
    members.put("limitedBy", decision.limitedBy().orElse(null));
    members.put("source", decision.source().word());
    return members;
  }

  /** A refusal of a policy in shadow: the call may go on, and what would have been is told. */
  static Map<String, Object> inShadow(Map<String, Object> refusal) {
    Map<String, Object> members = new LinkedHashMap<>(refusal);
    List.of("type", "title", "status", "violated-policies").forEach(members::remove);
    members.put("allowed", true);
    members.put("wouldBeAllowed", false);
    return members;
  }

  /**
   * What came of a request: the decision of the base limits with what the policy and the behaviour
   * make of it. A refusal never tells a tier or its reasons, since it may reach who was refused.
   */
  static Map<String, Object> of(RequestDecision ruling) {
    AdaptiveVerdict verdict = ruling.verdict();
    Map<String, Object> members = new LinkedHashMap<>();
    if (verdict.allowed() || !verdict.base().allowed()) {
      members.putAll(of(verdict.base()));
    } else {
      members.put("type", ABNORMAL_USAGE);
      members.put("title", "Request is refused for abnormal usage");
      members.put("status", 429);
      members.putAll(of(verdict.base()));
    }
    members.put("policy", ruling.policy());
    members.put("key", ruling.key());
    members.put("cost", ruling.cost());
    members.put("allowed", verdict.allowed());
    long wait = verdict.retryAfterMicros();
    members.put("retryAfterMs", wait < 0 ? null : (wait + 999) / 1_000);
    if (verdict.allowed()) {
      List.of("type", "title", "status", "violated-policies").forEach(members::remove);
      members.put("tier", verdict.tier().word());
    }
    return verdict.allowed() || !ruling.isShadow() ? members : inShadow(members);
  }

  /** A reservation: the decision, and what to settle it by. */
  static Map<String, Object> of(Reservation made) {
    Map<String, Object> members = of(made.decision());
    members.put("reservation", made.isHeld() ? made.id() : null);
    members.put("expiresAfterMs", made.isHeld() ? millis(made.expiresAfter()) : null);
    return members;
  }

  /** A settlement: the limits after it, whether there was such a reservation, and its cost. */
  static Map<String, Object> of(Settlement made) {
    Map<String, Object> members = of(made.decision());
    members.put("found", made.found());
    members.put("cost", made.permits());
    return members;
  }

  /** Whole milliseconds, rounded up. */
  private static long millis(Duration duration) {
    return duration.plusNanos(999_999).toMillis();
  }
}
