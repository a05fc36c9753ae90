package dev.weir.redis;

import dev.weir.FailureCause;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimitPolicy.NamedLimit;
import dev.weir.adaptive.AdaptivePolicy;
import dev.weir.adaptive.AdaptiveVerdict;
import dev.weir.adaptive.ModelArguments;
import dev.weir.adaptive.Outcome;
import dev.weir.adaptive.Setting;
import dev.weir.adaptive.Standing;
import dev.weir.adaptive.SubjectCall;
import dev.weir.adaptive.Tier;
import dev.weir.adaptive.Treatment;
import java.util.ArrayList;
import java.util.List;

/**
 * An adaptive policy as calls of its scripts: what to send, and how to read what comes back.
 * Immutable.
 */
final class AdaptiveCall {

  private static final int MORE = 4;
  private static final int OUTCOME_REPLY = 4;
  private static final int NOT_PINNED = -1;

  private final PolicyCall limits;
  private final AdaptivePolicy policy;
  private final byte[] settings;
  private final List<byte[]> lowered = new ArrayList<>();

  AdaptiveCall(PolicyCall limits, AdaptivePolicy policy) {
    this.limits = limits;
    this.policy = policy;
    this.settings = ModelArguments.settings(policy, limits.policy());
    addLowered(policy.get(Setting.ELEVATED_FACTOR));
    addLowered(policy.get(Setting.SUSPICIOUS_FACTOR));
  }

  private void addLowered(double share) {
    RateLimitPolicy shared = limits.policy().withShare(share);
    for (NamedLimit named : shared.limits()) {
      LimitArguments arguments = LimitArguments.of(named.limit());
      lowered.add(LimitArguments.bytes(named.limit().capacity()));
      lowered.add(LimitArguments.bytes(arguments.a()));
      lowered.add(LimitArguments.bytes(arguments.b()));
      lowered.add(LimitArguments.bytes(arguments.c()));
    }
  }

  PolicyCall limits() {
    return limits;
  }

  /** The arguments of a decision, or of a look at what it would be. */
  List<byte[]> decide(SubjectCall call, Operation operation) {
    List<byte[]> arguments = limits.start(operation);
    arguments.addAll(lowered);
    arguments.add(settings);
    arguments.add(seed(call.seed()));
    boolean pinned = call.treatment().kind() == Treatment.Kind.PINNED;
    arguments.add(LimitArguments.bytes(pinned ? call.treatment().tier().level() : NOT_PINNED));
    arguments.add(LimitArguments.bytes(enforced(call) ? 1 : 0));
    arguments.add(ModelArguments.outcomes(call.earlier()));
    arguments.add(ModelArguments.call(call.call()));
    arguments.add(LimitArguments.bytes(call.permits()));
    return arguments;
  }

  private boolean enforced(SubjectCall call) {
    return switch (call.treatment().kind()) {
      case PINNED -> true;
      case JUDGED -> policy.enforces(call.seed());
      default -> false;
    };
  }

  private static byte[] seed(int seed) {
    return LimitArguments.bytes(Integer.toUnsignedLong(seed));
  }

  /** The arguments that note outcomes. */
  List<byte[]> outcome(int seed, List<Outcome> outcomes) {
    return List.of(
        LimitArguments.bytes(Operation.OUTCOME.word()),
        settings,
        seed(seed),
        ModelArguments.outcomes(outcomes));
  }

  /** Reads the reply to a decision. */
  AdaptiveVerdict read(Reports reports, byte[] redisKey, List<Long> reply, SubjectCall call) {
    PolicyCall.Answer base = reports.read(limits.read(reply, call.permits(), MORE), redisKey);
    int at = reply.size() - MORE;
    long wait = reply.get(at + 1);
    return new AdaptiveVerdict(
        reply.get(at + 2) == 1,
        Tier.of(Math.toIntExact(reply.get(at))),
        base.decision(),
        wait == 0,
        wait,
        enforced(call),
        reply.get(at + 3) == 1);
  }

  /** Reads the reply to outcomes. */
  static Standing standing(Reports reports, byte[] redisKey, List<Long> reply) {
    if (reply.size() != OUTCOME_REPLY) {
      throw new RedisFailure(
          FailureCause.BAD_REPLY,
          "Redis answered the script with %d numbers instead of %d"
              .formatted(reply.size(), OUTCOME_REPLY));
    }
    reports.damaged(reply.get(0) == 1, redisKey);
    return new Standing(Tier.of(Math.toIntExact(reply.get(2))), reply.get(3) == 1);
  }
}
