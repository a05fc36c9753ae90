package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.RateLimitPolicy;
import dev.weir.adaptive.AdaptivePolicy;
import dev.weir.adaptive.AdaptivePolicy.Mode;
import dev.weir.adaptive.AdaptiveRateLimiter;
import dev.weir.adaptive.AdaptiveVerdict;
import dev.weir.adaptive.BaseRate;
import dev.weir.adaptive.Explanation;
import dev.weir.adaptive.Hash;
import dev.weir.adaptive.Outcome;
import dev.weir.adaptive.RiskModel;
import dev.weir.adaptive.Standing;
import dev.weir.adaptive.SubjectCall;
import dev.weir.adaptive.SubjectState;
import dev.weir.adaptive.SubjectStateBytes;
import dev.weir.adaptive.Tier;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An adaptive limiter whose state is in Redis. A decision by behaviour is one EVALSHA on three keys
 * of one slot: that of the limits, which any {@link RedisRateLimiter} of the same policy shares;
 * that of the limits as the tier lowers them; that of the behaviour.
 *
 * <p>Time budget, breaker and failure mode are those of the limiter that it is made of. While Redis
 * is away the failure mode decides by the limits alone; behaviour is unknown, the tier normal, and
 * outcomes are lost.
 */
public final class RedisAdaptiveRateLimiter implements AdaptiveRateLimiter {

  private static final int EXPLAIN_HEAD = 3;

  private final RedisRateLimiter limiter;
  private final AdaptivePolicy policy;
  private volatile AdaptiveCall call;

  private RedisAdaptiveRateLimiter(RedisRateLimiter limiter, AdaptivePolicy policy) {
    this.limiter = Objects.requireNonNull(limiter, "limiter");
    this.policy = Objects.requireNonNull(policy, "policy");
    this.call = new AdaptiveCall(limiter.call(), policy);
  }

  /**
   * An adaptive limiter.
   *
   * @param limiter limits calls, and stays open and usable by itself; a change of its policy acts
   *     here too
   * @param policy how the limits adapt
   */
  public static RedisAdaptiveRateLimiter of(RedisRateLimiter limiter, AdaptivePolicy policy) {
    return new RedisAdaptiveRateLimiter(limiter, policy);
  }

  @Override
  public RateLimitPolicy limits() {
    return limiter.policy();
  }

  @Override
  public AdaptivePolicy policy() {
    return policy;
  }

  @Override
  public CompletableFuture<AdaptiveVerdict> decideAsync(SubjectCall asked) {
    return decide(asked, true);
  }

  @Override
  public CompletableFuture<AdaptiveVerdict> peekAsync(SubjectCall asked) {
    return decide(asked, false);
  }

  private CompletableFuture<AdaptiveVerdict> decide(SubjectCall asked, boolean charge) {
    return switch (asked.treatment().kind()) {
      case EXEMPT -> fixed(asked, true);
      case REFUSED -> fixed(asked, false);
      case LIMITED -> limited(asked, charge);
      case PINNED -> judged(asked, charge);
      case JUDGED, WATCHED ->
          policy.mode() == Mode.OFF ? limited(asked, charge) : judged(asked, charge);
    };
  }

  private CompletableFuture<AdaptiveVerdict> fixed(SubjectCall asked, boolean exempt) {
    return limiter
        .peekAsync(asked.subject(), asked.permits())
        .thenApply(
            base ->
                new AdaptiveVerdict(
                    exempt, Tier.NORMAL, base, exempt, exempt ? 0 : -1, true, true));
  }

  private CompletableFuture<AdaptiveVerdict> limited(SubjectCall asked, boolean charge) {
    if (charge && !asked.earlier().isEmpty()) {
      CompletableFuture<Standing> unused = reportAsync(asked.subject(), asked.earlier());
    }
    CompletableFuture<Decision> base =
        charge
            ? limiter.tryAcquireAsync(asked.subject(), asked.permits())
            : limiter.peekAsync(asked.subject(), asked.permits());
    return base.thenApply(RedisAdaptiveRateLimiter::byLimitsAlone);
  }

  private static AdaptiveVerdict byLimitsAlone(Decision base) {
    return new AdaptiveVerdict(base.allowed(), Tier.NORMAL, base, true, 0, false, true);
  }

  private CompletableFuture<AdaptiveVerdict> judged(SubjectCall asked, boolean charge) {
    AdaptiveCall current = current();
    Operation operation = charge ? Operation.ADAPTIVE : Operation.ADAPTIVE_PEEK;
    byte[] key = limiter.keys().of(asked.subject());
    return limiter.run(
        current.limits(),
        asked.subject(),
        operation,
        (keys, redisKey) -> List.of(redisKey, keys.lowered(redisKey), keys.behaviour(redisKey)),
        current.decide(asked, operation),
        (reports, reply) -> current.read(reports, key, reply, asked),
        cause ->
            byLimitsAlone(
                limiter
                    .fallback()
                    .decide(
                        current.limits().policy(),
                        asked.subject(),
                        asked.permits(),
                        charge ? Operation.ACQUIRE : Operation.PEEK,
                        cause)));
  }

  /** The policy as calls, made anew when the limits were changed. */
  private AdaptiveCall current() {
    AdaptiveCall known = call;
    PolicyCall limits = limiter.call();
    if (known.limits() != limits) {
      known = new AdaptiveCall(limits, policy);
      call = known;
    }
    return known;
  }

  @Override
  public CompletableFuture<Standing> reportAsync(String subject, List<Outcome> outcomes) {
    if (policy.mode() == Mode.OFF || outcomes.isEmpty()) {
      return CompletableFuture.completedFuture(Standing.UNKNOWN);
    }
    AdaptiveCall current = current();
    byte[] key = limiter.keys().of(subject);
    return limiter.run(
        current.limits(),
        subject,
        Operation.OUTCOME,
        (keys, redisKey) -> List.of(keys.behaviour(redisKey)),
        current.outcome(Hash.of(subject), outcomes),
        (reports, reply) -> AdaptiveCall.standing(reports, key, reply),
        cause -> Standing.UNKNOWN);
  }

  @Override
  public CompletableFuture<Explanation> explainAsync(String subject) {
    RiskModel model = new RiskModel(policy, BaseRate.of(limits()));
    return limiter.run(
        limiter.call(),
        subject,
        Operation.EXPLAIN,
        (keys, redisKey) -> List.of(keys.behaviour(redisKey)),
        List.of(LimitArguments.bytes(Operation.EXPLAIN.word())),
        (reports, reply) -> model.explain(state(reply), reply.get(1)),
        cause -> model.explain(null, 0));
  }

  private static @Nullable SubjectState state(List<Long> reply) {
    int length = Math.toIntExact(reply.get(2));
    if (length == 0) {
      return null;
    }
    ByteBuffer bytes = ByteBuffer.allocate(length + Long.BYTES);
    for (long number : reply.subList(EXPLAIN_HEAD, reply.size())) {
      bytes.putShort((short) (number >> 32)).putInt((int) number);
    }
    return SubjectStateBytes.read(Arrays.copyOf(bytes.array(), length));
  }

  @Override
  public CompletableFuture<Void> resetAsync(String subject) {
    RedisKeys keys = limiter.keys();
    byte[] key = keys.of(subject);
    return limiter.resetAsync(
        subject, List.of(key, keys.reservations(key), keys.lowered(key), keys.behaviour(key)));
  }
}
