package dev.weir.http;

import dev.weir.Decision;
import dev.weir.LimitStatus;
import dev.weir.Source;
import dev.weir.Wait;
import dev.weir.adaptive.AdaptiveVerdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The answer to a request that may not go on: a problem (RFC 9457) that says what to do, and never
 * why a client is not trusted. Immutable.
 *
 * @param status the HTTP status
 * @param headers what to send beside {@code Content-Type}, in order; {@code Cache-Control:
 *     no-store} among them
 * @param body JSON, of the type {@link #CONTENT_TYPE}
 */
public record Refusal(int status, Map<String, String> headers, String body) {

  /** What the body is. */
  public static final String CONTENT_TYPE = "application/problem+json";

  private static final String TYPES = "https://iana.org/assignments/http-problem-types#";

  /** Copies the headers. */
  public Refusal {
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
  }

  /**
   * The answer to a request that one policy refused or more: 429, or 503 if the store did not
   * answer and the policy refuses then.
   *
   * @param decisions all decisions about the request, a refusal among them
   * @param epochSeconds the time of the answer
   */
  public static Refusal of(List<Decision> decisions, RateLimitHeaders form, long epochSeconds) {
    Map<String, String> headers = form.of(decisions, epochSeconds);
    if (RateLimitHeaders.reported(decisions).source() == Source.DEGRADED_CLOSED) {
      return new Refusal(
          503,
          headers,
          body(
              TYPES + "temporary-reduced-capacity",
              "Request cannot be satisfied due to temporary server capacity constraints",
              503,
              List.of()));
    }
    return new Refusal(
        429,
        headers,
        body(
            TYPES + "quota-exceeded",
            "Request cannot be satisfied as assigned quota has been exceeded",
            429,
            violated(decisions)));
  }

  /**
   * The answer to a request that one policy refused: as {@link #of(List, RateLimitHeaders, long)}.
   */
  public static Refusal of(Decision decision, RateLimitHeaders form, long epochSeconds) {
    return of(List.of(decision), form, epochSeconds);
  }

  /**
   * The answer to a request that an adaptive limiter refused. If the tier and not the base limits
   * refused, the quota is not told, which would invite more.
   *
   * @param verdict a refusal
   * @param epochSeconds the time of the answer
   */
  public static Refusal of(AdaptiveVerdict verdict, RateLimitHeaders form, long epochSeconds) {
    if (!verdict.base().allowed()) {
      Refusal refusal = of(verdict.base(), form, epochSeconds);
      Map<String, String> headers = new LinkedHashMap<>(refusal.headers());
      headers.remove(RateLimitHeaders.RETRY_AFTER);
      headers.putAll(RateLimitHeaders.ofRefusal(wait(verdict)));
      return new Refusal(refusal.status(), headers, refusal.body());
    }
    return new Refusal(
        429,
        RateLimitHeaders.ofRefusal(wait(verdict)),
        body(
            TYPES + "abnormal-usage-detected",
            "Request not satisfied due to detection of abnormal request pattern",
            429,
            List.of()));
  }

  private static Wait wait(AdaptiveVerdict verdict) {
    long micros = verdict.retryAfterMicros();
    return micros < 0 ? Wait.NEVER : Wait.ofMicros(micros);
  }

  /** The answer to a request of nobody who can be told: 403. */
  public static Refusal ofUnknownClient() {
    return new Refusal(
        403,
        RateLimitHeaders.ofRefusal(Wait.NEVER),
        body("about:blank", "It cannot be told whom this request is from", 403, List.of()));
  }

  /** The answer if nobody could decide, for a fault that is not the client's: 503. */
  public static Refusal ofUndecided() {
    return new Refusal(
        503,
        RateLimitHeaders.ofRefusal(Wait.ofMicros(1)),
        body(
            TYPES + "temporary-reduced-capacity",
            "Request cannot be satisfied due to temporary server capacity constraints",
            503,
            List.of()));
  }

  private static List<String> violated(List<Decision> decisions) {
    List<String> names = new ArrayList<>();
    for (Decision decision : decisions) {
      for (LimitStatus status : decision.limits()) {
        if (!status.retryAfter().isNone()) {
          names.add(
              decisions.size() > 1
                  ? decision.policy().name() + '/' + status.name()
                  : status.name());
        }
      }
    }
    return names;
  }

  // Types and titles are constants, and names of policies and limits need no escape.
  private static String body(String type, String title, int status, List<String> violated) {
    StringBuilder json = new StringBuilder(256);
    json.append("{\"type\":\"").append(type).append("\",\"title\":\"").append(title);
    json.append("\",\"status\":").append(status);
    if (!violated.isEmpty()) {
      json.append(",\"violated-policies\":[\"")
          .append(String.join("\",\"", violated))
          .append("\"]");
    }
    return json.append('}').toString();
  }
}
