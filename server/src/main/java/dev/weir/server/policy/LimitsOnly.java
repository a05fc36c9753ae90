package dev.weir.server.policy;

import dev.weir.Decision;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.adaptive.AdaptivePolicy;
import dev.weir.adaptive.AdaptiveRateLimiter;
import dev.weir.adaptive.AdaptiveVerdict;
import dev.weir.adaptive.Explanation;
import dev.weir.adaptive.Outcome;
import dev.weir.adaptive.Standing;
import dev.weir.adaptive.SubjectCall;
import dev.weir.adaptive.Tier;
import dev.weir.adaptive.Treatment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The limits of a policy that does not adapt: what is decided by hand holds all the same. */
final class LimitsOnly implements AdaptiveRateLimiter {

  private static final AdaptivePolicy OFF =
      AdaptivePolicy.builder().mode(AdaptivePolicy.Mode.OFF).build();

  private final RateLimiter limiter;

  LimitsOnly(RateLimiter limiter) {
    this.limiter = limiter;
  }

  @Override
  public RateLimitPolicy limits() {
    return limiter.policy();
  }

  @Override
  public AdaptivePolicy policy() {
    return OFF;
  }

  @Override
  public CompletableFuture<AdaptiveVerdict> decideAsync(SubjectCall call) {
    return isDecided(call)
        ? fixed(call)
        : limiter
            .tryAcquireAsync(call.subject(), call.permits())
            .thenApply(base -> verdict(base, call.treatment().tier()));
  }

  @Override
  public CompletableFuture<AdaptiveVerdict> peekAsync(SubjectCall call) {
    return isDecided(call)
        ? fixed(call)
        : limiter
            .peekAsync(call.subject(), call.permits())
            .thenApply(base -> verdict(base, call.treatment().tier()));
  }

  private static boolean isDecided(SubjectCall call) {
    Treatment treatment = call.treatment();
    return treatment.kind() == Treatment.Kind.EXEMPT
        || treatment.kind() == Treatment.Kind.REFUSED
        || (treatment.kind() == Treatment.Kind.PINNED && treatment.tier() == Tier.BLOCKED);
  }

  private CompletableFuture<AdaptiveVerdict> fixed(SubjectCall call) {
    boolean exempt = call.treatment().kind() == Treatment.Kind.EXEMPT;
    return limiter
        .peekAsync(call.subject(), call.permits())
        .thenApply(
            base ->
                new AdaptiveVerdict(
                    exempt, call.treatment().tier(), base, exempt, exempt ? 0 : -1, true, true));
  }

  private static AdaptiveVerdict verdict(Decision base, Tier tier) {
    return new AdaptiveVerdict(base.allowed(), tier, base, true, 0, false, true);
  }

  @Override
  public CompletableFuture<Standing> reportAsync(String subject, List<Outcome> outcomes) {
    return CompletableFuture.completedFuture(Standing.UNKNOWN);
  }

  @Override
  public CompletableFuture<Explanation> explainAsync(String subject) {
    return CompletableFuture.completedFuture(
        new Explanation(
            Tier.NORMAL, 0, 0, Map.of(), Map.of(), false, 0, Optional.empty(), Optional.empty()));
  }

  @Override
  public CompletableFuture<Void> resetAsync(String subject) {
    return limiter.resetAsync(subject);
  }
}
