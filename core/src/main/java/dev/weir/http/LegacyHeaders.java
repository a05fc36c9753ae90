package dev.weir.http;

import dev.weir.Decision;
import dev.weir.LimitStatus;
import java.util.List;
import java.util.Map;

/**
 * {@code X-RateLimit-Limit}, {@code X-RateLimit-Remaining} and {@code X-RateLimit-Reset}, about the
 * limit that the decision reports.
 *
 * @param reset how the time of the reset is written: clients disagree
 */
public record LegacyHeaders(Reset reset) implements HeaderGeneration {

  /** How {@code X-RateLimit-Reset} is written. */
  public enum Reset {
    /** Seconds since 1970, as GitHub and most of the clients' parsers have it. */
    EPOCH,
    /** Seconds from now, as Envoy has it. */
    DELTA
  }

  private static final String LIMIT = "X-RateLimit-Limit";
  private static final String REMAINING = "X-RateLimit-Remaining";
  private static final String RESET = "X-RateLimit-Reset";

  @Override
  public List<String> names() {
    return List.of(LIMIT, REMAINING, RESET);
  }

  @Override
  public void addTo(
      Map<String, String> headers, List<Decision> decisions, Decision reported, long epochSeconds) {
    LimitStatus limit = reported.reportedLimit();
    long seconds = RateLimitHeaders.seconds(limit.resetAfter());
    headers.put(LIMIT, Long.toString(reported.limit()));
    headers.put(REMAINING, Long.toString(reported.remaining()));
    headers.put(RESET, Long.toString(reset == Reset.EPOCH ? epochSeconds + seconds : seconds));
  }
}
