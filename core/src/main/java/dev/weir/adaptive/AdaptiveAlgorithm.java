package dev.weir.adaptive;

import dev.weir.Decision;
import dev.weir.RateLimitPolicy;
import dev.weir.algorithm.PolicyAlgorithm;
import dev.weir.algorithm.PolicyState;

/**
 * The arithmetic of a whole adaptive decision: the behaviour gives a tier, the tier a share of the
 * limits, and the call is judged by the limits and by that share of them, each with a state of its
 * own. Immutable and pure, as {@link PolicyAlgorithm}.
 */
public final class AdaptiveAlgorithm {

  private final RiskModel model;
  private final PolicyAlgorithm base;
  private final PolicyAlgorithm elevated;
  private final PolicyAlgorithm suspicious;

  /** The arithmetic of a policy with limits and of how it adapts. */
  public AdaptiveAlgorithm(RateLimitPolicy limits, AdaptivePolicy policy) {
    this.model = new RiskModel(policy, BaseRate.of(limits));
    this.base = new PolicyAlgorithm(limits);
    this.elevated = new PolicyAlgorithm(limits.withShare(policy.get(Setting.ELEVATED_FACTOR)));
    this.suspicious = new PolicyAlgorithm(limits.withShare(policy.get(Setting.SUSPICIOUS_FACTOR)));
  }

  /** The model of the behaviour. */
  public RiskModel model() {
    return model;
  }

  /**
   * Judges a call and charges it if it may go on.
   *
   * @param stored what was stored for the subject
   * @param call the call as the model sees it
   * @param permits its cost, 0 or more
   * @param treatment what precedence says of it
   * @param nowMicros the time of the call
   * @param seed the subject's hash, the same on every node
   */
  public AdaptiveVerdict decide(
      AdaptiveState stored,
      Call call,
      long permits,
      Treatment treatment,
      long nowMicros,
      int seed) {
    return switch (treatment.kind()) {
      case EXEMPT, REFUSED -> fixed(stored, permits, treatment, nowMicros);
      case LIMITED -> limited(stored, permits, nowMicros);
      case PINNED, JUDGED, WATCHED ->
          model.policy().mode() == AdaptivePolicy.Mode.OFF
                  && treatment.kind() != Treatment.Kind.PINNED
              ? limited(stored, permits, nowMicros)
              : judged(stored, call, permits, treatment, nowMicros, seed);
    };
  }

  private AdaptiveVerdict fixed(
      AdaptiveState stored, long permits, Treatment treatment, long nowMicros) {
    boolean exempt = treatment.kind() == Treatment.Kind.EXEMPT;
    Decision look = base.decide(stored.base(), permits, false, nowMicros).decision();
    return new AdaptiveVerdict(exempt, Tier.NORMAL, look, exempt, exempt ? 0 : -1, true, stored);
  }

  private AdaptiveVerdict limited(AdaptiveState stored, long permits, long nowMicros) {
    PolicyAlgorithm.Outcome outcome = base.decide(stored.base(), permits, true, nowMicros);
    PolicyState toStore = outcome.toStore();
    AdaptiveState state =
        toStore == null
            ? stored
            : new AdaptiveState(stored.behaviour(), toStore, stored.adaptive());
    boolean allowed = outcome.decision().allowed();
    return new AdaptiveVerdict(allowed, Tier.NORMAL, outcome.decision(), true, 0, false, state);
  }

  private AdaptiveVerdict judged(
      AdaptiveState stored,
      Call call,
      long permits,
      Treatment treatment,
      long nowMicros,
      int seed) {
    boolean pinned = treatment.kind() == Treatment.Kind.PINNED;
    boolean enforced =
        pinned || (treatment.kind() == Treatment.Kind.JUDGED && model.policy().enforces(seed));
    SubjectState behaviour = model.request(stored.behaviour(), call, nowMicros, seed);
    Tier tier = pinned ? treatment.tier() : behaviour.tier();
    Decision baseSays = base.decide(stored.base(), permits, false, nowMicros).decision();
    PolicyAlgorithm lowered = lowered(tier);
    long wait = wait(lowered, stored, permits, tier, pinned, behaviour, nowMicros);
    boolean allowed = baseSays.allowed() && (wait == 0 || !enforced);
    PolicyState baseState = stored.base();
    PolicyState adaptiveState = stored.adaptive();
    if (allowed && permits > 0) {
      PolicyAlgorithm.Outcome charged = base.decide(baseState, permits, true, nowMicros);
      baseSays = charged.decision();
      baseState = charged.toStore();
      if (wait == 0) {
        adaptiveState = lowered.decide(adaptiveState, permits, true, nowMicros).toStore();
      }
    }
    if (!allowed) {
      long told = Math.max(AdaptiveVerdict.waitMicros(baseSays), enforced ? wait : 0);
      behaviour = model.refused(behaviour, told, nowMicros);
    }
    return new AdaptiveVerdict(
        allowed,
        tier,
        baseSays,
        wait == 0,
        wait,
        enforced,
        new AdaptiveState(behaviour, baseState, adaptiveState));
  }

  private PolicyAlgorithm lowered(Tier tier) {
    return switch (tier) {
      case NORMAL -> base;
      case ELEVATED -> elevated;
      case SUSPICIOUS, BLOCKED -> suspicious;
    };
  }

  /** How long the tier and its limits want the caller to wait. */
  private static long wait(
      PolicyAlgorithm lowered,
      AdaptiveState stored,
      long permits,
      Tier tier,
      boolean pinned,
      SubjectState behaviour,
      long nowMicros) {
    if (tier == Tier.BLOCKED) {
      return pinned ? -1 : Math.max(1, behaviour.blockEndTick * Decay.TICK_MICROS - nowMicros);
    }
    return AdaptiveVerdict.waitMicros(
        lowered.decide(stored.adaptive(), permits, false, nowMicros).decision());
  }

  /** The state after the application has answered an allowed call. */
  public AdaptiveState outcome(AdaptiveState stored, Outcome outcome, long nowMicros, int seed) {
    if (model.policy().mode() == AdaptivePolicy.Mode.OFF) {
      return stored;
    }
    return new AdaptiveState(
        model.outcome(stored.behaviour(), outcome, nowMicros, seed),
        stored.base(),
        stored.adaptive());
  }
}
