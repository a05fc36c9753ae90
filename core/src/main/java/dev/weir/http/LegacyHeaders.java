package dev.weir.http;

import dev.weir.Decision;
import dev.weir.LimitStatus;
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

  @Override
  public void addTo(Map<String, String> headers, Decision decision, long epochSeconds) {
    LimitStatus reported = decision.reportedLimit();
    long seconds = RateLimitHeaders.seconds(reported.resetAfter());
    headers.put("X-RateLimit-Limit", Long.toString(decision.limit()));
    headers.put("X-RateLimit-Remaining", Long.toString(decision.remaining()));
    headers.put(
        "X-RateLimit-Reset",
        Long.toString(reset == Reset.EPOCH ? epochSeconds + seconds : seconds));
  }
}
