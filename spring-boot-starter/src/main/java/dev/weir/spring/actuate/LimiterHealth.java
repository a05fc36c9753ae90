package dev.weir.spring.actuate;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterException;
import dev.weir.spring.RateLimiters;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Whether limits are decided, for the health of either Spring Boot. The application is up as long
 * as they are, by Redis or by what stands in for it while it is away; the details say which.
 *
 * @param isUp whether there are decisions
 * @param details for people
 */
public record LimiterHealth(boolean isUp, Map<String, Object> details) {

  private static final String KEY = "weir-health";

  /** Looks with one call, which charges nothing. */
  public static LimiterHealth of(RateLimiters limiters) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("store", limiters.store());
    details.put("policies", limiters.all().size());
    for (RateLimiter limiter : limiters.all().values()) {
      try {
        Decision decision = limiter.peek(KEY);
        details.put("decidedBy", decision.source().word());
        decision.failure().ifPresent(cause -> details.put("failure", cause.word()));
      } catch (RateLimiterException e) {
        details.put("error", String.valueOf(e.getMessage()));
        return new LimiterHealth(false, details);
      }
      break;
    }
    return new LimiterHealth(true, details);
  }
}
