package dev.weir.spring.aop;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.spring.RateLimitExceededException;
import dev.weir.spring.web.Leases;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Asks before a method runs: on the caller's thread, or without blocking if it returns later. */
final class RateLimitedInterceptor implements MethodInterceptor {

  private static final boolean HAS_REACTOR =
      ClassUtils.isPresent(
          "reactor.core.publisher.Flux", RateLimitedInterceptor.class.getClassLoader());

  private final Function<MethodInvocation, LimitedMethod> methods;
  private final CurrentClient client;

  RateLimitedInterceptor(Function<MethodInvocation, LimitedMethod> methods, CurrentClient client) {
    this.methods = methods;
    this.client = client;
  }

  @Override
  public @Nullable Object invoke(MethodInvocation call) throws Throwable {
    LimitedMethod method = methods.apply(call);
    Class<?> result = call.getMethod().getReturnType();
    if (HAS_REACTOR && ReactiveCalls.isReactive(result)) {
      return ReactiveCalls.limit(call, method, client);
    }
    String key = method.isOfClient() ? client.ofThread() : method.key(call);
    long cost = method.cost(call);
    if (CompletionStage.class.isAssignableFrom(result)
        && result.isAssignableFrom(CompletableFuture.class)) {
      return later(call, method, key, cost);
    }
    return Leases.holds(method.limiter().policy()) && cost > 0
        ? whileHeld(call, method, key, cost)
        : after(method.limiter().tryAcquire(key, cost), call, method);
  }

  private static @Nullable Object after(
      Decision decision, MethodInvocation call, LimitedMethod method) throws Throwable {
    if (decision.allowed()) {
      return call.proceed();
    }
    if (method.hasFallback()) {
      return method.fallback(call, decision);
    }
    throw new RateLimitExceededException(decision);
  }

  private static @Nullable Object whileHeld(
      MethodInvocation call, LimitedMethod method, String key, long cost) throws Throwable {
    RateLimiter limiter = method.limiter();
    Reservation reservation = limiter.reserve(key, cost, Leases.longest(limiter.policy()));
    try {
      return after(reservation.decision(), call, method);
    } finally {
      free(limiter, reservation);
    }
  }

  /** Waits for nothing; what cannot be freed is free when its lease ends. */
  static void free(RateLimiter limiter, Reservation reservation) {
    if (reservation.isHeld()) {
      CompletableFuture<?> unused =
          limiter.settleAsync(
              reservation.key(), reservation.id(), reservation.decision().permits());
    }
  }

  private static CompletableFuture<?> later(
      MethodInvocation call, LimitedMethod method, String key, long cost) {
    RateLimiter limiter = method.limiter();
    if (!Leases.holds(limiter.policy()) || cost == 0) {
      return limiter
          .tryAcquireAsync(key, cost)
          .thenCompose(decision -> stage(decision, call, method));
    }
    return limiter
        .reserveAsync(key, cost, Leases.longest(limiter.policy()))
        .thenCompose(
            reservation ->
                stage(reservation.decision(), call, method)
                    .whenComplete((done, failure) -> free(limiter, reservation)));
  }

  private static CompletionStage<?> stage(
      Decision decision, MethodInvocation call, LimitedMethod method) {
    try {
      Object stage = after(decision, call, method);
      return stage == null ? CompletableFuture.completedFuture(null) : (CompletionStage<?>) stage;
    } catch (Throwable e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
