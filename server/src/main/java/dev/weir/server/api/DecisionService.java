package dev.weir.server.api;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.http.RateLimitHeaders;
import dev.weir.server.decide.DecisionObserver;
import dev.weir.server.policy.PolicyRegistry;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The calls on a key: {@code /v1/acquire} and the others. Never blocks. */
final class DecisionService {

  private final PolicyRegistry policies;
  private final DecisionObserver observer;
  private final RateLimitHeaders headers = RateLimitHeaders.standard();
  private final InstantSource clock;

  DecisionService(PolicyRegistry policies, DecisionObserver observer, InstantSource clock) {
    this.policies = policies;
    this.observer = observer;
    this.clock = clock;
  }

  CompletableFuture<AggregatedHttpResponse> acquire(@Nullable Object body) {
    CallRequest call = CallRequest.read(body, true);
    return decide(
        call,
        limiter ->
            limiter
                .tryAcquireAsync(call.key(), call.cost())
                .thenApply(
                    decision -> {
                      observer.decided(call.policy(), call.key(), decision);
                      return decision;
                    }));
  }

  CompletableFuture<AggregatedHttpResponse> peek(@Nullable Object body) {
    CallRequest call = CallRequest.read(body, true);
    return decide(call, limiter -> limiter.peekAsync(call.key(), call.cost()));
  }

  CompletableFuture<AggregatedHttpResponse> charge(@Nullable Object body) {
    CallRequest call = CallRequest.read(body, true);
    return decide(call, limiter -> limiter.chargeAsync(call.key(), call.cost()));
  }

  CompletableFuture<AggregatedHttpResponse> refund(@Nullable Object body) {
    CallRequest call = CallRequest.read(body, true);
    return decide(call, limiter -> limiter.refundAsync(call.key(), call.cost()));
  }

  CompletableFuture<AggregatedHttpResponse> reserve(@Nullable Object body) {
    CallRequest call = CallRequest.toReserve(body);
    return with(
        call,
        limiter ->
            limiter
                .reserveAsync(call.key(), call.cost(), call.expiresAfter())
                .thenApply(made -> answer(call.policy(), made.decision(), DecisionBody.of(made))));
  }

  CompletableFuture<AggregatedHttpResponse> settle(@Nullable Object body) {
    return settle(CallRequest.toSettle(body));
  }

  CompletableFuture<AggregatedHttpResponse> cancel(@Nullable Object body) {
    return settle(CallRequest.toCancel(body).atCost(0));
  }

  private CompletableFuture<AggregatedHttpResponse> settle(CallRequest call) {
    return with(
        call,
        limiter ->
            limiter
                .settleAsync(call.key(), call.reservation(), call.cost())
                .thenApply(made -> answer(call.policy(), made.decision(), DecisionBody.of(made))));
  }

  CompletableFuture<AggregatedHttpResponse> reset(@Nullable Object body) {
    CallRequest call = CallRequest.read(body, false);
    return with(
        call,
        limiter ->
            limiter
                .resetAsync(call.key())
                .thenApply(
                    nothing ->
                        AggregatedHttpResponse.of(
                            HttpStatus.OK,
                            MediaType.JSON,
                            HttpData.wrap(
                                Json.write(
                                    Map.of(
                                        "policy", call.policy(),
                                        "key", call.key(),
                                        "reset", true))))));
  }

  private CompletableFuture<AggregatedHttpResponse> decide(
      CallRequest call, Asking<CompletableFuture<Decision>> asking) {
    return with(
        call,
        limiter ->
            asking.ask(limiter).thenApply(it -> answer(call.policy(), it, DecisionBody.of(it))));
  }

  private CompletableFuture<AggregatedHttpResponse> with(
      CallRequest call, Asking<CompletableFuture<AggregatedHttpResponse>> asking) {
    return policies
        .limiter(call.policy())
        .map(asking::ask)
        .orElseGet(
            () ->
                CompletableFuture.completedFuture(
                    Problem.unknownPolicy(call.policy()).toResponse()));
  }

  private AggregatedHttpResponse answer(
      String policy, Decision decision, Map<String, Object> body) {
    if (!decision.allowed() && isShadow(policy)) {
      return AggregatedHttpResponse.of(
          HttpStatus.OK, MediaType.JSON, HttpData.wrap(Json.write(DecisionBody.inShadow(body))));
    }
    ResponseHeadersBuilder builder =
        ResponseHeaders.builder(decision.allowed() ? HttpStatus.OK : HttpStatus.TOO_MANY_REQUESTS)
            .contentType(decision.allowed() ? MediaType.JSON : Problem.TYPE);
    headers.of(decision, clock.instant().getEpochSecond()).forEach(builder::add);
    return AggregatedHttpResponse.of(builder.build(), HttpData.wrap(Json.write(body)));
  }

  private boolean isShadow(String policy) {
    return policies.ownerOf(policy).map(it -> it.definition().isShadow()).orElse(false);
  }

  /** What to ask of the policy's limiter. */
  private interface Asking<T> {
    T ask(RateLimiter limiter);
  }
}
