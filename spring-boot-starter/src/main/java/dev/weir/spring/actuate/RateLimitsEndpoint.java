package dev.weir.spring.actuate;

import dev.weir.Decision;
import dev.weir.LimitStatus;
import dev.weir.RateLimiter;
import dev.weir.Wait;
import dev.weir.config.DurationText;
import dev.weir.config.PolicyFields;
import dev.weir.spring.RateLimiters;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The actuator's {@code ratelimits}: lists the policies, explains what a key would be answered now,
 * and resets a key. A look charges nothing.
 */
@Endpoint(id = "ratelimits")
public class RateLimitsEndpoint {

  private final RateLimiters limiters;

  /** Makes it. */
  public RateLimitsEndpoint(RateLimiters limiters) {
    this.limiters = limiters;
  }

  /** All policies, in the fields that they are configured with. */
  @ReadOperation
  public Map<String, Object> list() {
    Map<String, Object> policies = new LinkedHashMap<>();
    limiters
        .all()
        .forEach((name, limiter) -> policies.put(name, PolicyFields.write(limiter.policy())));
    return Map.of("store", limiters.store(), "policies", policies);
  }

  /**
   * What a call for one permit would be answered.
   *
   * @param policy the name of a policy
   * @param key a whole key, such as {@code address:203.0.113.9}
   * @return {@code null} if there is no such policy
   */
  @ReadOperation
  public @Nullable Map<String, Object> explain(@Selector String policy, String key) {
    RateLimiter limiter = limiters.all().get(policy);
    return limiter == null ? null : shown(key, limiter.peek(key));
  }

  /**
   * Forgets what was charged to a key.
   *
   * @return {@code null} if there is no such policy
   */
  @DeleteOperation
  public @Nullable Map<String, Object> reset(@Selector String policy, String key) {
    RateLimiter limiter = limiters.all().get(policy);
    if (limiter == null) {
      return null;
    }
    limiter.reset(key);
    return shown(key, limiter.peek(key));
  }

  private static Map<String, Object> shown(String key, Decision decision) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("policy", decision.policy().name());
    shown.put("key", key);
    shown.put("allowed", decision.allowed());
    decision.limitedBy().ifPresent(name -> shown.put("limitedBy", name));
    shown.put("limit", decision.limit());
    shown.put("remaining", decision.remaining());
    shown.put("retryAfter", text(decision.retryAfter()));
    shown.put("resetAfter", DurationText.format(decision.resetAfter()));
    shown.put("source", decision.source().word());
    decision.failure().ifPresent(cause -> shown.put("failure", cause.word()));
    shown.put("limits", decision.limits().stream().map(RateLimitsEndpoint::shown).toList());
    return shown;
  }

  private static Map<String, Object> shown(LimitStatus status) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("name", status.name());
    shown.put("remaining", status.remaining());
    shown.put("retryAfter", text(status.retryAfter()));
    shown.put("resetAfter", DurationText.format(status.resetAfter()));
    return shown;
  }

  private static String text(Wait wait) {
    return wait.isNever() ? "never" : DurationText.format(wait.toDuration());
  }
}
