package dev.weir.spring.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.spring.RateLimiters;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What requests to an application meet, on MVC and WebFlux alike. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class WebContract {

  private static final String CLIENT = "address:127.0.0.1";

  private final Instance app;

  WebContract(Instance app) {
    this.app = app;
  }

  Instance app() {
    return app;
  }

  @AfterAll
  void stop() {
    app.close();
  }

  @BeforeEach
  void freshClient() {
    app.bean(RateLimiters.class).all().values().forEach(limiter -> limiter.reset(CLIENT));
  }

  @Test
  void theEleventhRequestIsRefusedAndToldWhenToComeAgain() {
    for (int i = 0; i < 10; i++) {
      HttpResponse<String> answer = app.get("/api/orders/" + i);
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).isEqualTo("order " + i);
      assertThat(header(answer, "X-RateLimit-Limit")).isEqualTo("10");
      assertThat(header(answer, "X-RateLimit-Remaining")).isEqualTo(String.valueOf(9 - i));
      assertThat(header(answer, "RateLimit-Policy")).contains(";q=10;w=60");
    }
    HttpResponse<String> refused = app.get("/api/orders/11");
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(Integer.parseInt(header(refused, "Retry-After"))).isBetween(1, 6);
    assertThat(header(refused, "Cache-Control")).isEqualTo("no-store");
    assertThat(header(refused, "RateLimit")).contains(";r=0;t=");
    assertThat(header(refused, "Content-Type")).startsWith("application/problem+json");
    assertThat(refused.body()).contains("#quota-exceeded\"").contains("\"status\":429");
    assertThat(refused.headers().allValues("X-RateLimit-Limit")).hasSize(1);
  }

  @Test
  void whatNoPolicyMatchesIsNotLimitedAndSaysNothing() {
    assertThat(app.admitted(15, "GET", "/free")).isEqualTo(15);
    assertThat(app.get("/free").headers().map()).doesNotContainKey("x-ratelimit-limit");
  }

  @Test
  void everySpellingOfAPathIsOneLimit() {
    assertThat(app.admitted(4, "GET", "/api/orders/1")).isEqualTo(4);
    int admitted = 0;
    for (String path :
        new String[] {
          "/api/orders/1?x=y", "/api/%6frders/1", "/api/orders/1;a=b", "/API/orders/1",
          "/api//orders/1", "/api/./orders/1", "/api/orders/1/", "/api/x/../orders/1"
        }) {
      admitted += app.get(path).statusCode() == 429 ? 0 : 1;
    }
    assertThat(admitted).isLessThanOrEqualTo(6);
    assertThat(app.get("/api/orders/1").statusCode()).isEqualTo(429);
  }

  @Test
  void aHeadIsChargedOnceLikeAGet() {
    assertThat(app.admitted(5, "HEAD", "/api/orders/1")).isEqualTo(5);
    assertThat(app.admitted(10, "GET", "/api/orders/1")).isEqualTo(5);
  }

  @Test
  void eachKindOfAnswerIsChargedOnce() {
    for (String path : new String[] {"/api/async", "/api/broken", "/api/no-such-thing"}) {
      freshClient();
      assertThat(app.admitted(12, "GET", path)).as(path).isEqualTo(10);
    }
  }

  @Test
  void preflightsAreFreeAndScriptsCanReadARefusal() {
    String[] preflight = {
      "Origin", "https://shop.example", "Access-Control-Request-Method", "GET"
    };
    for (int i = 0; i < 10; i++) {
      assertThat(app.send("OPTIONS", "/api/orders/1", preflight).statusCode()).isEqualTo(200);
      HttpResponse<String> admitted =
          app.get("/api/orders/1", "Origin", "https://shop.example");
      assertThat(admitted.statusCode()).isEqualTo(200);
      assertThat(header(admitted, "Access-Control-Expose-Headers")).contains("RateLimit");
    }
    HttpResponse<String> refused = app.get("/api/orders/1", "Origin", "https://shop.example");
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(header(refused, "Access-Control-Allow-Origin"))
        .isEqualTo("https://shop.example");
    assertThat(header(refused, "Access-Control-Expose-Headers")).contains("Retry-After");
    assertThat(app.send("OPTIONS", "/api/orders/1").statusCode())
        .as("an OPTIONS that is no preflight")
        .isEqualTo(429);
  }

  @Test
  void anAddressThatAnyoneCanWriteIsNotBelieved() {
    int admitted = 0;
    for (int i = 0; i < 20; i++) {
      admitted +=
          app.get("/api/orders/1", "X-Forwarded-For", "198.51.100." + i).statusCode() == 429
              ? 0
              : 1;
    }
    assertThat(admitted).isEqualTo(10);
  }

  @Test
  void aLimitedMethodOfAControllerIsChargedToTheClient() {
    assertThat(app.admitted(7, "GET", "/limited")).isEqualTo(5);
    HttpResponse<String> refused = app.get("/limited");
    assertThat(Integer.parseInt(header(refused, "Retry-After"))).isBetween(1, 3600);
    assertThat(header(refused, "X-RateLimit-Limit")).isEqualTo("5");
    assertThat(refused.body()).contains("#quota-exceeded");
  }

  @Test
  void theActuatorListsExplainsAndResets() {
    assertThat(app.get("/actuator/ratelimits").body())
        .contains("token-bucket")
        .contains("the memory of this process");
    assertThat(app.admitted(10, "GET", "/api/orders/1")).isEqualTo(10);
    String explain = "/actuator/ratelimits/api?key=" + CLIENT;
    assertThat(app.get(explain).body()).contains("\"allowed\":false").contains("\"remaining\":0");
    assertThat(app.send("DELETE", explain).body()).contains("\"remaining\":10");
    assertThat(app.get("/api/orders/1").statusCode()).isEqualTo(200);
    assertThat(app.get("/actuator/ratelimits/nothing?key=x").statusCode()).isEqualTo(404);
  }

  @Test
  void healthSaysWhoDecides() {
    HttpResponse<String> health = app.get("/actuator/health");
    assertThat(health.body()).contains("\"weir\":{").contains("\"decidedBy\":\"");
  }

  @Test
  void decisionsAreCounted() {
    assertThat(app.get("/api/orders/1").statusCode()).isEqualTo(200);
    assertThat(
            app.get("/actuator/metrics/weir.decisions?tag=policy:api&tag=outcome:allowed").body())
        .contains("\"statistic\":\"COUNT\"");
  }

  static String header(HttpResponse<?> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }
}
