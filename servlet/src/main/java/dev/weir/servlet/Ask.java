package dev.weir.servlet;

import dev.weir.Limit;
import dev.weir.http.HttpRequestView;
import org.jspecify.annotations.Nullable;

/**
 * What one rule asks for one request.
 *
 * @param rule the rule
 * @param key whom to charge
 * @param permits how many
 * @param request the request
 * @param address where it is from, for an adaptive limiter; {@code null} if not known
 */
record Ask(
    RateLimitRule rule,
    String key,
    long permits,
    HttpRequestView request,
    @Nullable String address) {

  Ask {
    Limit.checkPermits(permits, 0);
  }

  /** What is charged once for a request: a key of a policy. */
  Charged charged() {
    return new Charged(rule.policy().name(), key);
  }

  /** A key of a policy. */
  record Charged(String policy, String key) {}
}
