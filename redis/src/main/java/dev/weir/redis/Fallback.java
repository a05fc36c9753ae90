package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.FailureCause;
import dev.weir.FailureMode;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimitPolicy.NamedLimit;
import dev.weir.local.LocalRateLimiter;
import java.time.Duration;

/**
 * What answers when Redis does not: nobody, or a limiter in this process with a share of each
 * limit. Safe for use by several threads.
 */
final class Fallback {

  private final LocalRateLimiter local;
  private final Duration retryAfter;

  Fallback(RateLimitPolicy policy, Duration retryAfter) {
    this.local = LocalRateLimiter.create(policy.withShare(policy.failureMode().share()));
    this.retryAfter = retryAfter;
  }

  void changePolicy(RateLimitPolicy policy) {
    local.changePolicy(policy.withShare(policy.failureMode().share()));
  }

  void reset(String key) {
    local.reset(key);
  }

  Decision decide(
      RateLimitPolicy policy, String key, long permits, boolean charge, FailureCause cause) {
    FailureMode.Kind kind = policy.failureMode().kind();
    return switch (kind) {
      case OPEN -> Decision.open(policy, permits, cause);
      case CLOSED -> Decision.closed(policy, permits, cause, retryAfter);
      case LOCAL -> locally(policy, key, permits, charge, cause);
    };
  }

  private Decision locally(
      RateLimitPolicy policy, String key, long permits, boolean charge, FailureCause cause) {
    long most = least(policy);
    if (permits > most) {
      // More than the whole limit can hold is refused for ever, here as there.
      return local.peek(key, permits).standingInFor(policy, cause);
    }
    // A cost that the limit holds and the share does not takes all of the share.
    long part = Math.min(permits, least(local.policy()));
    Decision decision = charge ? local.tryAcquire(key, part) : local.peek(key, part);
    return decision.standingInFor(policy, cause);
  }

  private static long least(RateLimitPolicy policy) {
    return policy.limits().stream()
        .map(NamedLimit::limit)
        .mapToLong(limit -> limit.capacity())
        .min()
        .orElseThrow();
  }
}
