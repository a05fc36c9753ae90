package dev.weir.spring.aop;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.spring.RateLimitExceededException;
import dev.weir.spring.web.Leases;
import org.aopalliance.intercept.MethodInvocation;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Limits of methods that return a Mono or a Flux: asked for at each subscription. */
final class ReactiveCalls {

  private ReactiveCalls() {}

  static boolean isReactive(Class<?> result) {
    return result == Mono.class || result == Flux.class;
  }

  static Object limit(MethodInvocation call, LimitedMethod method, CurrentClient client) {
    MethodInvocation again =
        call instanceof org.springframework.aop.ProxyMethodInvocation proxied
            ? proxied.invocableClone()
            : call;
    Mono<String> key =
        method.isOfClient() ? client.ofSubscriber() : Mono.fromSupplier(() -> method.key(again));
    if (call.getMethod().getReturnType() == Mono.class) {
      return key.flatMap(text -> Mono.from(ask(again, method, text)));
    }
    return key.flatMapMany(text -> Flux.from(ask(again, method, text)));
  }

  private static Publisher<?> ask(MethodInvocation call, LimitedMethod method, String key) {
    RateLimiter limiter = method.limiter();
    long cost = method.cost(call);
    if (!Leases.holds(limiter.policy()) || cost == 0) {
      return Mono.fromFuture(() -> limiter.tryAcquireAsync(key, cost), true)
          .publishOn(Schedulers.parallel())
          .flatMapMany(decision -> after(decision, call, method));
    }
    return Flux.usingWhen(
        Mono.fromFuture(
                () -> limiter.reserveAsync(key, cost, Leases.longest(limiter.policy())), true)
            .publishOn(Schedulers.parallel()),
        reservation -> after(reservation.decision(), call, method),
        reservation -> Mono.fromRunnable(() -> RateLimitedInterceptor.free(limiter, reservation)));
  }

  private static Publisher<Object> after(
      Decision decision, MethodInvocation call, LimitedMethod method) {
    try {
      Object result;
      if (decision.allowed()) {
        // Each subscription is a call of its own.
        MethodInvocation own =
            call instanceof org.springframework.aop.ProxyMethodInvocation proxied
                ? proxied.invocableClone()
                : call;
        result = own.proceed();
      } else if (method.hasFallback()) {
        result = method.fallback(call, decision);
      } else {
        return Mono.error(new RateLimitExceededException(decision));
      }
      return result instanceof Publisher<?> publisher ? Flux.from(publisher) : Mono.empty();
    } catch (Throwable e) {
      return Mono.error(e);
    }
  }
}
