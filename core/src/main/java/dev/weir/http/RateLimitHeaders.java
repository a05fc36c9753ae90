package dev.weir.http;

import dev.weir.Decision;
import dev.weir.Wait;
import java.time.Duration;
import java.util.ArrayList;
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

  static final String RETRY_AFTER = "Retry-After";

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
   * The names of all headers that an answer may have, for {@code Access-Control-Expose-Headers}.
   */
  public List<String> names() {
    List<String> names = new ArrayList<>();
    names.add(RETRY_AFTER);
    generations.forEach(generation -> names.addAll(generation.names()));
    return names;
  }

  /**
   * The headers for a decision, in the order to send them.
   *
   * @param epochSeconds the time of the answer
   */
  public Map<String, String> of(Decision decision, long epochSeconds) {
    return of(List.of(decision), epochSeconds);
  }

  /**
   * The headers for a request that several policies have judged: each header once, about the
   * decision that {@linkplain #reported matters most}.
   *
   * @param decisions one or more
   * @param epochSeconds the time of the answer
   */
  public Map<String, String> of(List<Decision> decisions, long epochSeconds) {
    Map<String, String> headers = new LinkedHashMap<>();
    Decision reported = reported(decisions);
    if (!reported.allowed()) {
      headers.putAll(ofRefusal(reported.retryAfter()));
    }
    generations.forEach(it -> it.addTo(headers, decisions, reported, epochSeconds));
    return headers;
  }

  /** The headers of any refusal: when to come again, unless never, and that nobody keeps it. */
  static Map<String, String> ofRefusal(Wait wait) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (!wait.isNever()) {
      headers.put(RETRY_AFTER, Long.toString(Math.max(1, seconds(wait.toDuration()))));
    }
    headers.put("Cache-Control", "no-store");
    return headers;
  }

  /**
   * The decision that a client should know of: the refusal with the longest wait; if none refuses,
   * the one with the smallest share left, of equals the one that takes longest to reset.
   *
   * @param decisions one or more
   */
  public static Decision reported(List<Decision> decisions) {
    Decision reported = decisions.get(0);
    for (Decision decision : decisions.subList(1, decisions.size())) {
      if (matters(decision, reported)) {
        reported = decision;
      }
    }
    return reported;
  }

  private static boolean matters(Decision decision, Decision than) {
    if (!decision.allowed() || !than.allowed()) {
      return !decision.allowed() && (than.allowed() || isLonger(decision, than));
    }
    // At most 10^9 each, so that the products are at most 10^18.
    long share = decision.remaining() * than.limit();
    long least = than.remaining() * decision.limit();
    return share < least
        || (share == least && decision.resetAfter().compareTo(than.resetAfter()) > 0);
  }

  private static boolean isLonger(Decision decision, Decision than) {
    if (decision.retryAfter().isNever() || than.retryAfter().isNever()) {
      return !than.retryAfter().isNever();
    }
    return decision.retryAfter().toMicros() > than.retryAfter().toMicros();
  }

  /** Whole seconds, rounded up. */
  static long seconds(Duration duration) {
    return duration.toNanosPart() > 0 ? duration.toSeconds() + 1 : duration.toSeconds();
  }
}
