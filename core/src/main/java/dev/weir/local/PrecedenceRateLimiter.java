package dev.weir.local;

import dev.weir.RateLimitPolicy;
import dev.weir.adaptive.AdaptivePolicy;
import dev.weir.adaptive.AdaptiveRateLimiter;
import dev.weir.adaptive.AdaptiveVerdict;
import dev.weir.adaptive.BotCheck;
import dev.weir.adaptive.Explanation;
import dev.weir.adaptive.Origin;
import dev.weir.adaptive.Outcome;
import dev.weir.adaptive.OverrideStore;
import dev.weir.adaptive.Ruling;
import dev.weir.adaptive.Standing;
import dev.weir.adaptive.SubjectCall;
import dev.weir.adaptive.Treatment;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * An adaptive limiter that obeys what people decided before it looks at behaviour: overrides,
 * ranges, verified bots, the mode of the route; the first that matches. Looking them up never
 * waits.
 *
 * <pre>{@code
 * PrecedenceRateLimiter limiter = PrecedenceRateLimiter.of(adaptive, overrides, BotCheck.NONE);
 * AdaptiveVerdict verdict = limiter.decide(call, Origin.of(address));
 * }</pre>
 */
public final class PrecedenceRateLimiter implements AdaptiveRateLimiter {

  private final AdaptiveRateLimiter limiter;
  private final OverrideStore overrides;
  private final BotCheck bots;

  private PrecedenceRateLimiter(
      AdaptiveRateLimiter limiter, OverrideStore overrides, BotCheck bots) {
    this.limiter = Objects.requireNonNull(limiter, "limiter");
    this.overrides = Objects.requireNonNull(overrides, "overrides");
    this.bots = Objects.requireNonNull(bots, "bots");
  }

  /**
   * Puts precedence before a limiter.
   *
   * @param limiter judges what nothing before it does; stays usable by itself
   * @param overrides what people decided; stays open
   * @param bots which bots are believed
   */
  public static PrecedenceRateLimiter of(
      AdaptiveRateLimiter limiter, OverrideStore overrides, BotCheck bots) {
    return new PrecedenceRateLimiter(limiter, overrides, bots);
  }

  @Override
  public RateLimitPolicy limits() {
    return limiter.limits();
  }

  @Override
  public AdaptivePolicy policy() {
    return limiter.policy();
  }

  /** The same call, to be judged by the first rule that matches. */
  public SubjectCall treated(SubjectCall call, Origin origin) {
    boolean isBot = bots.isVerified(origin.address(), origin.agent());
    return call.treatment(overrides.treatment(call.subject(), origin, isBot));
  }

  /** As {@link #decideAsync(SubjectCall)}, of a call from there. */
  public CompletableFuture<AdaptiveVerdict> decideAsync(SubjectCall call, Origin origin) {
    return limiter.decideAsync(treated(call, origin));
  }

  /** As {@link #decide(SubjectCall)}, of a call from there. */
  public AdaptiveVerdict decide(SubjectCall call, Origin origin) {
    return limiter.decide(treated(call, origin));
  }

  /** As {@link #peek(SubjectCall)}, of a call from there. */
  public AdaptiveVerdict peek(SubjectCall call, Origin origin) {
    return limiter.peek(treated(call, origin));
  }

  @Override
  public CompletableFuture<AdaptiveVerdict> decideAsync(SubjectCall call) {
    return decideAsync(call, Origin.UNKNOWN);
  }

  @Override
  public CompletableFuture<AdaptiveVerdict> peekAsync(SubjectCall call) {
    return limiter.peekAsync(treated(call, Origin.UNKNOWN));
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

  /**
   * Ends all that is held against a subject: an override that blocks or pins it is lifted, and its
   * behaviour is forgotten, a running block with it, and what it used of the limits. It is noted in
   * the audit trail.
   */
  public CompletableFuture<Void> unblockAsync(String subject, String author, String reason) {
    return lifted(Ruling.subjectTarget(subject), author, reason)
        .thenCompose(done -> limiter.resetAsync(subject))
        .thenCompose(done -> overrides.noteForgottenAsync(subject, author, reason));
  }

  private CompletableFuture<?> lifted(String target, String author, String reason) {
    boolean isAllowed =
        overrides.rulings().stream()
            .filter(ruling -> ruling.target().equals(target))
            .anyMatch(ruling -> ruling.treatment().kind() == Treatment.Kind.EXEMPT);
    return isAllowed
        ? CompletableFuture.completedFuture(null)
        : overrides.liftAsync(target, author, reason);
  }
}
