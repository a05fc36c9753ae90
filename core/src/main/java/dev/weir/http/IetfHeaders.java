package dev.weir.http;

import dev.weir.AlgorithmKind;
import dev.weir.Decision;
import dev.weir.LimitStatus;
import dev.weir.Wait;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * {@code RateLimit-Policy} and {@code RateLimit} as in draft-ietf-httpapi-ratelimit-headers, 08 to
 * 11: lists of items named after the limits. {@code q} is the quota and {@code w} its window;
 * {@code r} is what remains, and {@code t} the time until there is more: for a refused call until
 * it would be admitted, so that {@code Retry-After} is never before it.
 *
 * <p>Names of limits are of characters that need no escape in a structured field.
 */
public record IetfHeaders() implements HeaderGeneration {

  @Override
  public void addTo(Map<String, String> headers, Decision decision, long epochSeconds) {
    headers.put(
        "RateLimit-Policy",
        decision.limits().stream().map(IetfHeaders::policy).collect(Collectors.joining(", ")));
    headers.put("RateLimit", limit(decision.reportedLimit(), decision.remaining()));
  }

  private static String policy(LimitStatus status) {
    // Permits held are no quota of a window; the draft has a unit of its own for them.
    if (status.limit().kind() == AlgorithmKind.CONCURRENCY) {
      return "\"%s\";q=%d;qu=\"concurrent-requests\""
          .formatted(status.name(), status.limit().capacity());
    }
    return "\"%s\";q=%d;w=%d"
        .formatted(
            status.name(),
            status.limit().capacity(),
            RateLimitHeaders.seconds(status.limit().quotaWindow()));
  }

  private static String limit(LimitStatus status, long remaining) {
    Wait wait = status.retryAfter();
    long seconds =
        RateLimitHeaders.seconds(
            wait.isNone() || wait.isNever() ? status.nextPermitAfter() : wait.toDuration());
    return "\"%s\";r=%d;t=%d".formatted(status.name(), remaining, seconds);
  }
}
