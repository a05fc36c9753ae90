package dev.weir.spring.web;

import dev.weir.http.HeaderGeneration;
import dev.weir.http.IetfHeaders;
import dev.weir.http.LegacyHeaders;
import dev.weir.http.RateLimitHeaders;
import java.util.List;

/** Which headers tell the quota. */
public enum HttpHeadersForm {
  /** {@code X-RateLimit-Limit}, {@code -Remaining} and {@code -Reset}. */
  LEGACY,
  /** {@code RateLimit-Policy} and {@code RateLimit} of the IETF draft. */
  IETF;

  /** What the reset in the legacy headers is. */
  public enum Reset {
    /** Seconds since 1970. */
    EPOCH,
    /** Seconds from now. */
    DELTA
  }

  /** The headers of some forms. */
  public static RateLimitHeaders headers(List<HttpHeadersForm> forms, Reset reset) {
    return RateLimitHeaders.of(
        forms.stream()
            .distinct()
            .map(
                form ->
                    form == LEGACY
                        ? new LegacyHeaders(LegacyHeaders.Reset.valueOf(reset.name()))
                        : new IetfHeaders())
            .toArray(HeaderGeneration[]::new));
  }
}
