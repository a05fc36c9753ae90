package dev.weir.adaptive;

import dev.weir.Decision;
import dev.weir.RateLimitPolicy;
import dev.weir.algorithm.PolicyAlgorithm;
import dev.weir.algorithm.PolicyState;
import org.jspecify.annotations.Nullable;

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
  public Step decide(
      AdaptiveState stored,
      Call call,
      long permits,
      Treatment treatment,
      long nowMicros,
      int seed) {
    return decide(stored, call, permits, true, treatment, nowMicros, seed);
  }

  /**
   * Judges a call.
   *
   * @param charge whether to charge it if it may go on; a call that is not charged is only looked
   *     at, and the state after it is the one before
   * @see #decide(AdaptiveState, Call, long, Treatment, long, int)
   */
  public Step decide(
      AdaptiveState stored,
      Call call,
      long permits,
      boolean charge,
      Treatment treatment,
      long nowMicros,
      int seed) {
    return switch (treatment.kind()) {
      case EXEMPT, REFUSED -> fixed(stored, permits, treatment, nowMicros);
      case LIMITED -> limited(stored, permits, charge, nowMicros);
      case PINNED, JUDGED, WATCHED ->
          model.policy().mode() == AdaptivePolicy.Mode.OFF
                  && treatment.kind() != Treatment.Kind.PINNED
              ? limited(stored, permits, charge, nowMicros)
              : judged(stored, call, permits, charge, treatment, nowMicros, seed);
    };
  }

  private Step fixed(AdaptiveState stored, long permits, Treatment treatment, long nowMicros) {
    boolean exempt = treatment.kind() == Treatment.Kind.EXEMPT;
    Decision look = base.decide(stored.base(), permits, false, nowMicros).decision();
    return new Step(
        new AdaptiveVerdict(exempt, Tier.NORMAL, look, exempt, exempt ? 0 : -1, true, true),
        stored);
  }

  private Step limited(AdaptiveState stored, long permits, boolean charge, long nowMicros) {
    PolicyAlgorithm.Outcome outcome = base.decide(stored.base(), permits, charge, nowMicros);
    PolicyState toStore = outcome.toStore();
    AdaptiveState state =
        toStore == null
            ? stored
            : new AdaptiveState(stored.behaviour(), toStore, stored.adaptive());
    boolean allowed = outcome.decision().allowed();
    return new Step(
        new AdaptiveVerdict(allowed, Tier.NORMAL, outcome.decision(), true, 0, false, true), state);
  }

  private Step judged(
      AdaptiveState stored,
      Call call,
      long permits,
      boolean charge,
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
    if (allowed && charge && permits > 0) {
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
    AdaptiveState after = new AdaptiveState(behaviour, baseState, adaptiveState);
    return new Step(
        new AdaptiveVerdict(allowed, tier, baseSays, wait == 0, wait, enforced, standing(after)),
        charge ? after : stored);
  }

  private boolean standing(AdaptiveState state) {
    SubjectState behaviour = state.behaviour();
    return behaviour == null || behaviour.isInGoodStanding(model.policy());
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

  /** Whether a state says anything at a time that a fresh one would not. */
  public boolean isNeeded(AdaptiveState state, long nowMicros) {
    SubjectState behaviour = state.behaviour();
    return (behaviour != null && model.isKept(behaviour, nowMicros))
        || isInUse(base, state.base(), nowMicros)
        || isInUse(suspicious, state.adaptive(), nowMicros);
  }

  private static boolean isInUse(
      PolicyAlgorithm limits, @Nullable PolicyState state, long nowMicros) {
    return state != null && limits.decide(state, 0, false, nowMicros).freshAtMicros() > nowMicros;
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

  /**
   * What came of a call.
   *
   * @param verdict the answer
   * @param state the state to store
   */
  public record Step(AdaptiveVerdict verdict, AdaptiveState state) {}
}
