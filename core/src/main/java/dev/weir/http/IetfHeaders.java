package dev.weir.http;

import dev.weir.AlgorithmKind;
import dev.weir.Decision;
import dev.weir.LimitStatus;
import dev.weir.Wait;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code RateLimit-Policy} and {@code RateLimit} as in draft-ietf-httpapi-ratelimit-headers, 08 to
 * 11: lists of items named after the limits. {@code q} is the quota and {@code w} its window;
 * {@code r} is what remains, and {@code t} the time until there is more: for a refused call until
 * it would be admitted, so that {@code Retry-After} is never before it.
 *
 * <p>Names of limits are of characters that need no escape in a structured field. If several
 * policies judged a request, the names of theirs come before those of the limits: {@code
 * api/per-day}.
 */
public record IetfHeaders() implements HeaderGeneration {

  private static final String POLICY = "RateLimit-Policy";
  private static final String LIMIT = "RateLimit";

  @Override
  public List<String> names() {
    return List.of(POLICY, LIMIT);
  }

  @Override
  public void addTo(
      Map<String, String> headers, List<Decision> decisions, Decision reported, long epochSeconds) {
    boolean several = decisions.size() > 1;
    List<String> policies = new ArrayList<>();
    for (Decision decision : decisions) {
      for (LimitStatus status : decision.limits()) {
        policies.add(policy(name(decision, status, several), status));
      }
    }
    headers.put(POLICY, String.join(", ", policies));
    LimitStatus status = reported.reportedLimit();
    headers.put(LIMIT, limit(name(reported, status, several), status, reported.remaining()));
  }

  /** Two policies can have limits of one name; then each has its policy's name before it. */
  private static String name(Decision decision, LimitStatus status, boolean several) {
    return several ? decision.policy().name() + '/' + status.name() : status.name();
  }

  private static String policy(String name, LimitStatus status) {
    // Joined by hand, since a format is read anew for each request.
    String quota = '"' + name + "\";q=" + status.limit().capacity();
    // Permits held are no quota of a window; the draft has a unit of its own for them.
    return status.limit().kind() == AlgorithmKind.CONCURRENCY
        ? quota + ";qu=\"concurrent-requests\""
        : quota + ";w=" + RateLimitHeaders.seconds(status.limit().quotaWindow());
  }

  private static String limit(String name, LimitStatus status, long remaining) {
    Wait wait = status.retryAfter();
    long seconds =
        RateLimitHeaders.seconds(
            wait.isNone() || wait.isNever() ? status.nextPermitAfter() : wait.toDuration());
    return '"' + name + "\";r=" + remaining + ";t=" + seconds;
  }
}
