package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import java.util.concurrent.CompletableFuture;

/** Tells Redis the test's time before each call. */
record ClockedLimiter(RateLimiter limiter, Runnable tellTime) implements RateLimiter {

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
    tellTime.run();
    return limiter.tryAcquire(key, permits);
  }

  @Override
  public CompletableFuture<Decision> tryAcquireAsync(String key, long permits) {
    tellTime.run();
    return limiter.tryAcquireAsync(key, permits);
  }

  @Override
  public Decision peek(String key, long permits) {
    tellTime.run();
    return limiter.peek(key, permits);
  }

  @Override
  public CompletableFuture<Decision> peekAsync(String key, long permits) {
    tellTime.run();
    return limiter.peekAsync(key, permits);
  }

  @Override
  public void reset(String key) {
    limiter.reset(key);
  }

  @Override
  public CompletableFuture<Void> resetAsync(String key) {
    return limiter.resetAsync(key);
  }
}
