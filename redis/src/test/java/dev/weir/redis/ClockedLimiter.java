package dev.weir.redis;

import dev.weir.Charge;
import dev.weir.Decision;
import dev.weir.JointPart;
import dev.weir.JointStore;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells Redis the test's time before each call.
 *
 * @param limiter the limiter that is asked
 * @param tellTime does so, for a call on a key
 */
record ClockedLimiter(RateLimiter limiter, Consumer<String> tellTime) implements RateLimiter {

  @Override
  public RateLimitPolicy policy() {
    return limiter.policy();
  }

  @Override
  public void changePolicy(RateLimitPolicy policy) {
    limiter.changePolicy(policy);
  }

  @Override
  public Decision tryAcquire(String key, long permits) {
    tellTime.accept(key);
    return limiter.tryAcquire(key, permits);
  }

  @Override
  public CompletableFuture<Decision> tryAcquireAsync(String key, long permits) {
    tellTime.accept(key);
    return limiter.tryAcquireAsync(key, permits);
  }

  @Override
  public CompletableFuture<Decision> acquireAsync(String key, long permits, Duration timeout) {
    tellTime.accept(key);
    return limiter.acquireAsync(key, permits, timeout);
  }

  @Override
  public Decision peek(String key, long permits) {
    tellTime.accept(key);
    return limiter.peek(key, permits);
  }

  @Override
  public CompletableFuture<Decision> peekAsync(String key, long permits) {
    tellTime.accept(key);
    return limiter.peekAsync(key, permits);
  }

  @Override
  public CompletableFuture<Decision> chargeAsync(String key, long permits) {
    tellTime.accept(key);
    return limiter.chargeAsync(key, permits);
  }

  @Override
  public CompletableFuture<Decision> refundAsync(String key, long permits) {
    tellTime.accept(key);
    return limiter.refundAsync(key, permits);
  }

  @Override
  public CompletableFuture<Decision> refundAsync(String key, Charge charge) {
    tellTime.accept(key);
    return limiter.refundAsync(key, charge);
  }

  @Override
  public CompletableFuture<Reservation> reserveAsync(String key, long permits, Duration life) {
    tellTime.accept(key);
    return limiter.reserveAsync(key, permits, life);
  }

  @Override
  public CompletableFuture<Settlement> settleAsync(String key, String id, long permits) {
    tellTime.accept(key);
    return limiter.settleAsync(key, id, permits);
  }

  @Override
  public void reset(String key) {
    limiter.reset(key);
  }

  @Override
  public CompletableFuture<Void> resetAsync(String key) {
    return limiter.resetAsync(key);
  }

  /** The time is told once for all keys, and the parts are those of the limiters behind. */
  @Override
  public JointStore jointStore(String key) {
    return new Clocked(limiter.jointStore(key));
  }

  private record Clocked(@Nullable JointStore store) implements JointStore {
    @Override
    public CompletableFuture<List<Decision>> tryAcquireAll(List<JointPart> parts) {
      List<JointPart> behind = new ArrayList<>();
      for (JointPart part : parts) {
        ClockedLimiter clocked = (ClockedLimiter) part.limiter();
        clocked.tellTime.accept(part.key());
        behind.add(new JointPart(clocked.limiter, part.key(), part.permits()));
      }
      return Objects.requireNonNull(store).tryAcquireAll(behind);
    }
  }
}
