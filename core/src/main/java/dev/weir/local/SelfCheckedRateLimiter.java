package dev.weir.local;

import dev.weir.RateLimitPolicy;
import dev.weir.TimeSource;
import dev.weir.adaptive.AdaptivePolicy;
import dev.weir.adaptive.AdaptiveRateLimiter;
import dev.weir.adaptive.AdaptiveVerdict;
import dev.weir.adaptive.Explanation;
import dev.weir.adaptive.Outcome;
import dev.weir.adaptive.SelfCheck;
import dev.weir.adaptive.Standing;
import dev.weir.adaptive.SubjectCall;
import dev.weir.adaptive.Tier;
import dev.weir.adaptive.Treatment;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * An adaptive limiter that falls back to shadow when its {@link SelfCheck} trips: tiers are found
 * and told as before, and refuse nobody until the check is {@linkplain SelfCheck#clear cleared}.
 * What somebody pinned, denied or blocked by hand holds all the same. It is logged once each time.
 */
public final class SelfCheckedRateLimiter implements AdaptiveRateLimiter {

  private static final System.Logger LOG = System.getLogger(SelfCheckedRateLimiter.class.getName());

  private final AdaptiveRateLimiter limiter;
  private final SelfCheck check;
  private final TimeSource timeSource;

  private SelfCheckedRateLimiter(
      AdaptiveRateLimiter limiter, SelfCheck check, TimeSource timeSource) {
    this.limiter = Objects.requireNonNull(limiter, "limiter");
    this.check = Objects.requireNonNull(check, "check");
    this.timeSource = Objects.requireNonNull(timeSource, "timeSource");
  }

  /**
   * Watches a limiter.
   *
   * @param check what it is judged by; one for all limiters of an application judges best
   * @param timeSource tells the minutes
   */
  public static SelfCheckedRateLimiter of(
      AdaptiveRateLimiter limiter, SelfCheck check, TimeSource timeSource) {
    return new SelfCheckedRateLimiter(limiter, check, timeSource);
  }

  @Override
  public RateLimitPolicy limits() {
    return limiter.limits();
  }

  @Override
  public AdaptivePolicy policy() {
    return limiter.policy();
  }

  @Override
  public CompletableFuture<AdaptiveVerdict> decideAsync(SubjectCall call) {
    return limiter.decideAsync(watchedIfTripped(call)).thenApply(verdict -> noted(call, verdict));
  }

  @Override
  public CompletableFuture<AdaptiveVerdict> peekAsync(SubjectCall call) {
    return limiter.peekAsync(watchedIfTripped(call));
  }

  private SubjectCall watchedIfTripped(SubjectCall call) {
    return call.treatment().kind() == Treatment.Kind.JUDGED
        ? check
            .reason()
            .map(why -> new Treatment(Treatment.Kind.WATCHED, Tier.NORMAL, "self-check: " + why))
            .map(call::treatment)
            .orElse(call)
        : call;
  }

  private AdaptiveVerdict noted(SubjectCall call, AdaptiveVerdict verdict) {
    boolean isSignedIn = call.call().principal() != 0;
    if (call.treatment().kind() == Treatment.Kind.JUDGED
        && check.decided(call.seed(), isSignedIn, verdict.tier(), timeSource.epochMicros())) {
      LOG.log(
          System.Logger.Level.WARNING,
          "The adaptive layer of policy ''{0}'' is in shadow from now on, since it is more likely"
              + " wrong than those it judges: {1}. Look at explain() of some of them, mend the"
              + " policy, then clear the self-check.",
          limits().name(),
          check.reason().orElse(""));
    }
    return verdict;
  }

  @Override
  public CompletableFuture<Standing> reportAsync(String subject, List<Outcome> outcomes) {
    return limiter.reportAsync(subject, outcomes);
  }

  @Override
  public CompletableFuture<Explanation> explainAsync(String subject) {
    return limiter.explainAsync(subject);
  }

  @Override
  public CompletableFuture<Void> resetAsync(String subject) {
    return limiter.resetAsync(subject);
  }
}
