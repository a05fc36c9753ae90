package dev.weir.server.decide;

import dev.weir.adaptive.AdaptivePolicy.Mode;
import dev.weir.adaptive.AdaptiveRateLimiter;
import dev.weir.adaptive.CallReader;
import dev.weir.adaptive.Hash;
import dev.weir.adaptive.Origin;
import dev.weir.adaptive.Outcome;
import dev.weir.adaptive.SubjectCall;
import dev.weir.adaptive.Treatment;
import dev.weir.server.policy.PolicyRegistry;
import dev.weir.server.policy.RequestAttributes;
import dev.weir.server.policy.RunningPolicy;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * Decides about requests: finds their policy, whom they are counted for, and asks its limits. Safe
 * for use by several threads; never blocks.
 */
public final class Decider {

  private final PolicyRegistry policies;
  private final ByHand byHand;
  private final DecisionObserver observer;

  /**
   * Decides by policies.
   *
   * @param byHand what somebody decided about subjects and addresses
   */
  public Decider(PolicyRegistry policies, ByHand byHand, DecisionObserver observer) {
    this.policies = policies;
    this.byHand = byHand;
    this.observer = observer;
  }

  /**
   * Decides about a request and charges it if it may go on.
   *
   * @param cost what the caller says it costs; empty for what the policy says
   * @return the ruling; empty if no policy is for it
   */
  public CompletableFuture<Optional<RequestDecision>> decide(
      RequestAttributes request, OptionalLong cost) {
    return policies
        .find(request)
        .map(
            policy ->
                ask(policy, request, cost, true)
                    .thenApply(
                        ruling -> {
                          observer.decided(request, ruling);
                          return Optional.of(ruling);
                        }))
        .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()));
  }

  /** What {@link #decide} would answer. Changes nothing, and is no figure. */
  public CompletableFuture<Optional<RequestDecision>> peek(
      RequestAttributes request, OptionalLong cost) {
    return policies
        .find(request)
        .map(policy -> ask(policy, request, cost, false).thenApply(Optional::of))
        .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()));
  }

  private CompletableFuture<RequestDecision> ask(
      RunningPolicy policy, RequestAttributes request, OptionalLong cost, boolean charge) {
    String limits = policy.limitsOf(request);
    String key = policy.definition().key().keyOf(request);
    long permits = cost.orElseGet(() -> policy.costOf(request));
    Treatment treatment = treatment(key, request);
    SubjectCall call =
        SubjectCall.of(key, read(policy, request, permits).call())
            .permits(permits)
            .treatment(treatment);
    AdaptiveRateLimiter limiter = policy.adaptive(limits);
    return (charge ? limiter.decideAsync(call) : limiter.peekAsync(call))
        .thenApply(
            verdict ->
                new RequestDecision(
                    policy.name(),
                    limits,
                    key,
                    permits,
                    verdict,
                    treatment,
                    policy.definition().isShadow()));
  }

  private Treatment treatment(String key, RequestAttributes request) {
    String address = request.address();
    String agent = request.header("user-agent");
    return byHand.treatment(
        key, new Origin(address.isEmpty() ? null : address, agent.isEmpty() ? null : agent, null));
  }

  private static CallReader.Read read(
      RunningPolicy policy, RequestAttributes request, long permits) {
    String user = request.user();
    return policy
        .reader()
        .read(
            request.method(),
            request.path(),
            request.route(),
            false,
            request.header("user-agent"),
            user.isEmpty() ? null : user,
            null,
            Math.max(1, permits));
  }

  /**
   * Notes how the application answered a request that was allowed.
   *
   * @return whether a policy is for it that adapts
   */
  public boolean report(RequestAttributes request, int status) {
    RunningPolicy policy = policies.find(request).orElse(null);
    if (policy == null || policy.definition().adaptive().mode() == Mode.OFF) {
      return false;
    }
    String limits = policy.limitsOf(request);
    String key = policy.definition().key().keyOf(request);
    CallReader.Read read = read(policy, request, 1);
    boolean isPopular =
        read.isMissing(status)
            && policy
                .popular()
                .note(read.popularPath(), Hash.of(key), observer.isInGoodStanding(limits, key));
    Outcome outcome = read.outcome(status, isPopular);
    CompletableFuture<Void> unused =
        policy
            .adaptive(limits)
            .reportAsync(key, List.of(outcome))
            .thenAccept(
                standing ->
                    observer.reported(policy.name(), limits, key, request, status, standing));
    return true;
  }
}
