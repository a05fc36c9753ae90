package dev.weir.client;

import dev.weir.RateLimiter;
import dev.weir.decorate.Guard;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests as servers want them: after an answer that says to come again later, it sends
 * nothing more to that origin until then. It can also ask a limiter of its own before each request.
 * Safe for use by any number of threads, which wait for themselves.
 *
 * <pre>{@code
 * ObedientHttpClient client =
 *     ObedientHttpClient.of(HttpClient.newHttpClient()).maxWait(Duration.ofSeconds(30)).retries(2);
 * HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
 * }</pre>
 *
 * <p>What it has to do with a wait longer than {@code maxWait} is to send nothing, and to fail with
 * {@link HoldOffException}. Origins are remembered up to 10,000; of more, those that need not be
 * left alone are forgotten.
 */
public final class ObedientHttpClient {

  private static final int MOST_ORIGINS = 10_000;

  private final HttpClient http;
  private final Duration maxWait;
  private final int retries;
  private final @Nullable RateLimiter limiter;
  // When an origin may be asked again, in System.nanoTime().
  private final Map<String, Long> notBefore;

  private ObedientHttpClient(
      HttpClient http,
      Duration maxWait,
      int retries,
      @Nullable RateLimiter limiter,
      Map<String, Long> notBefore) {
    this.http = http;
    this.maxWait = maxWait;
    this.retries = retries;
    this.limiter = limiter;
    this.notBefore = notBefore;
  }

  /** A client that waits for a minute at most, and sends nothing twice. */
  public static ObedientHttpClient of(HttpClient http) {
    return new ObedientHttpClient(
        Objects.requireNonNull(http, "http"),
        Duration.ofMinutes(1),
        0,
        null,
        new ConcurrentHashMap<>());
  }

  /** The same, that waits for so long at most before each request; zero for not at all. */
  public ObedientHttpClient maxWait(Duration maxWait) {
    return new ObedientHttpClient(
        http, Objects.requireNonNull(maxWait, "maxWait"), retries, limiter, notBefore);
  }

  /**
   * The same, that sends a request again, so often at most, if the answer is 429. A server that
   * answers so has not done what was asked; the body must be one that can be sent again.
   *
   * @throws IllegalArgumentException if negative
   */
  public ObedientHttpClient retries(int retries) {
    if (retries < 0) {
      throw new IllegalArgumentException("retries must be 0 or more, and was " + retries);
    }
    return new ObedientHttpClient(http, maxWait, retries, limiter, notBefore);
  }

  /**
   * The same, that asks a limiter before each request, with the origin as the key, such as {@code
   * https://api.example.com:443}.
   */
  public ObedientHttpClient limitedBy(RateLimiter limiter) {
    return new ObedientHttpClient(
        http, maxWait, retries, Objects.requireNonNull(limiter, "limiter"), notBefore);
  }

  /**
   * Sends a request when the origin may be asked, and waits for the answer.
   *
   * @return the answer; a 429 if that was the last of all tries
   * @throws HoldOffException if it would have to wait for longer than allowed; nothing was sent
   * @throws dev.weir.decorate.RefusedException if the limiter of its own refuses for longer than
   *     that; nothing was sent
   * @throws IOException if the request failed
   * @throws InterruptedException if the thread is interrupted
   */
  public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
      throws IOException, InterruptedException {
    String origin = origin(request.uri());
    for (int attempt = 0; ; attempt++) {
      awaitOrigin(origin);
      if (limiter != null) {
        Guard.of(limiter, origin).waiting(maxWait).enter().close();
      }
      HttpResponse<T> response = http.send(request, handler);
      note(origin, response);
      if (response.statusCode() != 429 || attempt >= retries) {
        return response;
      }
    }
  }

  private void awaitOrigin(String origin) throws HoldOffException, InterruptedException {
    long start = System.nanoTime();
    while (true) {
      Long until = notBefore.get(origin);
      long wait = until == null ? 0 : until - System.nanoTime();
      if (wait <= 0) {
        return;
      }
      if (wait + System.nanoTime() - start > nanos(maxWait)) {
        throw new HoldOffException(origin, Duration.ofNanos(wait), maxWait);
      }
      TimeUnit.NANOSECONDS.sleep(wait);
    }
  }

  private void note(String origin, HttpResponse<?> response) {
    Duration holdOff =
        ServerQuota.holdOff(
            response.statusCode(), name -> response.headers().allValues(name), Instant.now());
    if (holdOff.isZero()) {
      return;
    }
    long now = System.nanoTime();
    if (notBefore.size() >= MOST_ORIGINS) {
      notBefore.values().removeIf(until -> until - now <= 0);
    }
    if (notBefore.size() < MOST_ORIGINS) {
      // Of answers that came at the same time the longest wait holds.
      notBefore.merge(origin, now + nanos(holdOff), (a, b) -> a - b > 0 ? a : b);
    }
  }

  /** Nanoseconds, at most a hundred years, so that differences of times do not overflow. */
  private static long nanos(Duration duration) {
    return Math.min(duration.toDays(), 36_500) == 36_500
        ? TimeUnit.DAYS.toNanos(36_500)
        : duration.toNanos();
  }

  private static String origin(URI uri) {
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    int port = uri.getPort() >= 0 ? uri.getPort() : scheme.equals("https") ? 443 : 80;
    return scheme + "://" + String.valueOf(uri.getHost()).toLowerCase(Locale.ROOT) + ':' + port;
  }
}
