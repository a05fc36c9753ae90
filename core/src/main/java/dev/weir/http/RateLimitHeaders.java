package dev.weir.http;

import dev.weir.Decision;
import dev.weir.Wait;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The headers of an answer to a rate-limited request: those of some {@linkplain HeaderGeneration
 * generations}, and for a refusal {@code Retry-After} (RFC 9110, section 10.2.3) and {@code
 * Cache-Control: no-store} (RFC 6585, section 4). Immutable.
 *
 * <p>All values are whole numbers, never negative. Times are rounded up, and {@code Retry-After} is
 * at least 1; it is absent where no wait is long enough.
 */
public final class RateLimitHeaders {

  private static final RateLimitHeaders STANDARD =
      new RateLimitHeaders(
          List.of(new LegacyHeaders(LegacyHeaders.Reset.EPOCH), new IetfHeaders()));

  private final List<HeaderGeneration> generations;

  private RateLimitHeaders(List<HeaderGeneration> generations) {
    this.generations = generations;
  }

  /** The legacy headers with the reset as epoch seconds, and those of the IETF draft. */
  public static RateLimitHeaders standard() {
    return STANDARD;
  }

  /** Headers of the given generations; none if empty. */
  public static RateLimitHeaders of(HeaderGeneration... generations) {
    return new RateLimitHeaders(List.of(generations));
  }

  /**
   * The headers for a decision, in the order to send them.
   *
   * @param epochSeconds the time of the answer
   */
  public Map<String, String> of(Decision decision, long epochSeconds) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (!decision.allowed()) {
      Wait wait = decision.retryAfter();
      if (!wait.isNever()) {
        headers.put("Retry-After", Long.toString(Math.max(1, seconds(wait.toDuration()))));
      }
      headers.put("Cache-Control", "no-store");
    }
    generations.forEach(generation -> generation.addTo(headers, decision, epochSeconds));
    return headers;
  }

  /** Whole seconds, rounded up. */
  static long seconds(Duration duration) {
    return duration.toNanosPart() > 0 ? duration.toSeconds() + 1 : duration.toSeconds();
  }
}
