package dev.weir.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.weir.Decision;
import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.decorate.RefusedException;
import dev.weir.http.RateLimitHeaders;
import dev.weir.local.LocalRateLimiter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client against a server that limits it. */
class ObedientHttpClientTest {

  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private RateLimiter limiter =
      LocalRateLimiter.create(RateLimitPolicy.of("api", FixedWindow.of(2, Duration.ofSeconds(1))));
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    asked.incrementAndGet();
    Decision decision = limiter.tryAcquire("everybody");
    RateLimitHeaders.standard()
        .of(decision, System.currentTimeMillis() / 1_000)
        .forEach(exchange.getResponseHeaders()::set);
    refused.addAndGet(decision.allowed() ? 0 : 1);
    exchange.sendResponseHeaders(decision.allowed() ? 200 : 429, -1);
    exchange.close();
  }

  private int send(ObedientHttpClient client) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding()).statusCode();
  }

  private static ObedientHttpClient client() {
    return ObedientHttpClient.of(HttpClient.newHttpClient());
  }

  @Test
  void anObedientClientIsNotRefused() throws Exception {
    ObedientHttpClient client = client();
    for (int i = 0; i < 5; i++) {
      assertThat(send(client)).isEqualTo(200);
    }
    assertThat(refused).hasValue(0);
  }

  @Test
  void aRefusedRequestIsSentAgainWhenTheServerSaysSo() throws Exception {
    limiter.tryAcquire("everybody", 2);
    assertThat(send(client().retries(1))).isEqualTo(200);
    assertThat(asked).hasValue(2);
    limiter.tryAcquire("everybody", 1);
    limiter.tryAcquire("everybody", 1);
    assertThat(send(client())).as("without retries").isEqualTo(429);
  }

  @Test
  void itSendsNothingIfItMayNotWaitThatLong() throws Exception {
    limiter =
        LocalRateLimiter.create(RateLimitPolicy.of("api", FixedWindow.of(1, Duration.ofHours(1))));
    ObedientHttpClient client = client().maxWait(Duration.ofSeconds(5));
    assertThat(send(client)).isEqualTo(200);
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> send(client))
          .isInstanceOfSatisfying(
              HoldOffException.class,
              it -> assertThat(it.holdOff()).isGreaterThan(Duration.ofMinutes(59)))
          .hasMessageContaining("http://127.0.0.1:")
          .hasMessageContaining("PT5S");
    }
    assertThat(asked).hasValue(1);
  }

  @Test
  void aLimiterOfItsOwnIsAskedFirst() throws Exception {
    RateLimiter own =
        LocalRateLimiter.create(RateLimitPolicy.of("own", FixedWindow.of(1, Duration.ofHours(1))));
    ObedientHttpClient client = client().limitedBy(own).maxWait(Duration.ZERO);
    assertThat(send(client)).isEqualTo(200);
    assertThatThrownBy(() -> send(client)).isInstanceOf(RefusedException.class);
    assertThat(asked).hasValue(1);
  }
}
