package dev.weir.spring.autoconfigure;

import dev.weir.Charge;
import dev.weir.Decision;
import dev.weir.JointPart;
import dev.weir.JointStore;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.Settlement;
import dev.weir.spring.PlanResolver;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Judges each key by the limits of its plan. */
final class PlanRateLimiter implements RateLimiter {

  private static final System.Logger LOG = System.getLogger(PlanRateLimiter.class.getName());

  private static final int MOST_WARNINGS = 100;

  private final RateLimiter base;
  private final Map<String, RateLimiter> plans;
  private final PlanResolver resolver;
  private final Set<String> unknown = ConcurrentHashMap.newKeySet();

  PlanRateLimiter(RateLimiter base, Map<String, RateLimiter> plans, PlanResolver resolver) {
    this.base = base;
    this.plans = Map.copyOf(plans);
    this.resolver = resolver;
  }

  private RateLimiter of(String key) {
    if (plans.isEmpty()) {
      return base;
    }
    String plan = resolver.planOf(policy().name(), key).orElse(null);
    RateLimiter limiter = plan == null ? base : plans.get(plan);
    if (limiter == null) {
      warn(String.valueOf(plan));
      return base;
    }
    return limiter;
  }

  private void warn(String plan) {
    if (unknown.size() < MOST_WARNINGS && unknown.add(plan)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "policy '%s' has no plan '%s', and its own limits judge; it has %s"
              .formatted(policy().name(), plan, plans.keySet()));
    }
  }

  @Override
  public RateLimitPolicy policy() {
    return base.policy();
  }

  @Override
  public void changePolicy(RateLimitPolicy policy) {
    base.changePolicy(policy);
  }

  @Override
  public Decision tryAcquire(String key, long permits) {
    return of(key).tryAcquire(key, permits);
  }

  @Override
  public CompletableFuture<Decision> tryAcquireAsync(String key, long permits) {
    return of(key).tryAcquireAsync(key, permits);
  }

  @Override
  public CompletableFuture<Decision> acquireAsync(String key, long permits, Duration timeout) {
    return of(key).acquireAsync(key, permits, timeout);
  }

  @Override
  public Decision peek(String key, long permits) {
    return of(key).peek(key, permits);
  }

  @Override
  public CompletableFuture<Decision> peekAsync(String key, long permits) {
    return of(key).peekAsync(key, permits);
  }

  @Override
  public CompletableFuture<Decision> chargeAsync(String key, long permits) {
    return of(key).chargeAsync(key, permits);
  }

  @Override
  public CompletableFuture<Decision> refundAsync(String key, long permits) {
    return of(key).refundAsync(key, permits);
  }

  @Override
  public CompletableFuture<Decision> refundAsync(String key, Charge charge) {
    return of(key).refundAsync(key, charge);
  }

  @Override
  public CompletableFuture<Reservation> reserveAsync(
      String key, long permits, Duration expiresAfter) {
    return of(key).reserveAsync(key, permits, expiresAfter);
  }

  @Override
  public CompletableFuture<Settlement> settleAsync(String key, String reservationId, long permits) {
    return of(key).settleAsync(key, reservationId, permits);
  }

  /** Under every plan: which one the key was judged by before is not known. */
  @Override
  public void reset(String key) {
    base.reset(key);
    plans.values().forEach(plan -> plan.reset(key));
  }

  @Override
  public CompletableFuture<Void> resetAsync(String key) {
    CompletableFuture<Void> last = base.resetAsync(key);
    for (RateLimiter plan : plans.values()) {
      last = last.thenCompose(done -> plan.resetAsync(key));
    }
    return last;
  }

  @Override
  public @Nullable JointStore jointStore(String key) {
    JointStore store = of(key).jointStore(key);
    return store == null ? null : new PlanJointStore(store);
  }

  /** A store that is given the limiters which judge. Stores are equal if what they stand for is. */
  private record PlanJointStore(JointStore store) implements JointStore {
    @Override
    public CompletableFuture<List<Decision>> tryAcquireAll(List<JointPart> parts) {
      return store.tryAcquireAll(
          parts.stream()
              .map(
                  part ->
                      new JointPart(
                          ((PlanRateLimiter) part.limiter()).of(part.key()),
                          part.key(),
                          part.permits()))
              .toList());
    }
  }
}
