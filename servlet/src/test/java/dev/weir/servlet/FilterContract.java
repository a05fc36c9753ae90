package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Await;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the filter promises, through sockets, in a real container. */
abstract class FilterContract extends ContainerHarness {

  FilterContract(Container container) {
    super(container);
  }

  private List<Integer> statuses(int times, String path) {
    String client = newClient();
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      statuses.add(get(path, client).statusCode());
    }
    return statuses;
  }

  private static List<Integer> tenThenRefused(int status) {
    List<Integer> expected = new ArrayList<>(Collections.nCopies(10, status));
    expected.addAll(List.of(429, 429));
    return expected;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ok 200",
        "nothing-here 404",
        "throw 500",
        "forward 200",
        "include 200",
        "dispatch 200",
        "complete 202",
        "async-throw 500"
      })
  void b04EachRequestIsChargedOnceWhateverItsDispatches(String endpoint) {
    String path = endpoint.substring(0, endpoint.indexOf(' '));
    int status = Integer.parseInt(endpoint.substring(endpoint.indexOf(' ') + 1));
    assertThat(statuses(12, "/plain/" + path)).isEqualTo(tenThenRefused(status));
    assertThat(statuses(12, "/async/" + path)).isEqualTo(tenThenRefused(status));
    assertThat(statuses(12, "/redis/" + path)).isEqualTo(tenThenRefused(status));
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "registered", "async", "blocking", "twice", "redis", "several"})
  void tenAreAllowedAndTheNextRefusedHoweverTheFilterIsRegistered(String context) {
    assertThat(statuses(12, "/" + context + "/login")).isEqualTo(tenThenRefused(200));
  }

  @Test
  void b04TwoFiltersChargeTheirLimitsOnceEach() {
    String client = newClient();
    for (int i = 0; i < 10; i++) {
      HttpResponse<String> answer = get("/two/ok", client);
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().allValues("RateLimit")).hasSize(1);
      assertThat(answer.headers().allValues("X-RateLimit-Remaining"))
          .containsExactly(Integer.toString(9 - i));
      assertThat(answer.headers().firstValue("RateLimit-Policy").orElseThrow())
          .contains("\"ten/fixed-window\";q=10", "\"twelve/fixed-window\";q=12");
    }
    assertThat(get("/two/ok", client).statusCode()).isEqualTo(429);
  }

  @Test
  void b07SeveralRulesAreChargedAllOrNone() {
    String first = newClient();
    for (int i = 0; i < 10; i++) {
      assertThat(get("/several/ok", first).statusCode()).isEqualTo(200);
    }
    for (int i = 0; i < 10; i++) {
      assertThat(get("/several/ok", first).statusCode()).as("by its own limit").isEqualTo(429);
    }
    String second = newClient();
    for (int i = 0; i < 5; i++) {
      assertThat(get("/several/ok", second).statusCode())
          .as("the shared limit of 15 was not charged for refusals")
          .isEqualTo(200);
    }
    HttpResponse<String> refused = get("/several/ok", second);
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.body()).contains("\"violated-policies\":[\"shared/fixed-window\"]");
  }

  @Test
  void aRefusalSaysWhatToDo() {
    String client = newClient();
    for (int i = 0; i < 10; i++) {
      get("/plain/ok", client);
    }
    HttpResponse<String> refused = get("/plain/ok", client);
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("application/problem+json");
    assertThat(refused.headers().firstValue("Cache-Control")).contains("no-store");
    assertThat(refused.headers().firstValueAsLong("Retry-After").orElseThrow())
        .isBetween(3_500L, 3_600L);
    assertThat(refused.headers().firstValue("RateLimit").orElseThrow())
        .startsWith("\"fixed-window\";r=0;t=");
    assertThat(refused.body())
        .isEqualTo(
            "{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                + "\"title\":\"Request cannot be satisfied as assigned quota has been exceeded\","
                + "\"status\":429,\"violated-policies\":[\"fixed-window\"]}");
  }

  @Test
  void b37ThereIsEachHeaderOnce() {
    HttpResponse<String> answer = get("/twice/forward", newClient());
    for (String name : List.of("RateLimit", "RateLimit-Policy", "X-RateLimit-Limit")) {
      assertThat(answer.headers().allValues(name)).as(name).hasSize(1);
    }
    assertThat(answer.headers().firstValue("X-RateLimit-Remaining")).contains("9");
  }

  @Test
  void b55PreflightsAreFreeAndRefusalsCanBeRead() {
    String client = newClient();
    for (int i = 0; i < 10; i++) {
      HttpResponse<String> preflight =
          send(
              "OPTIONS",
              "/cors/ok",
              client,
              "Origin",
              "https://a.b",
              "Access-Control-Request-Method",
              "GET");
      assertThat(preflight.statusCode()).isNotEqualTo(429);
      assertThat(preflight.headers().firstValue("RateLimit")).isEmpty();
      assertThat(get("/cors/ok", client).statusCode()).isEqualTo(200);
    }
    HttpResponse<String> refused = get("/cors/ok", client);
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.headers().firstValue("Access-Control-Allow-Origin")).contains("https://a.b");
    assertThat(refused.headers().allValues("Access-Control-Expose-Headers"))
        .containsExactly(
            "Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset,"
                + " RateLimit-Policy, RateLimit");
    assertThat(send("OPTIONS", "/cors/ok", client).statusCode())
        .as("an OPTIONS that is no preflight")
        .isEqualTo(429);
    assertThat(get("/cors/verify/1", client).statusCode()).as("exempt").isEqualTo(200);
  }

  @Test
  void b87HeadIsGetAndNoMethodIsUnlimited() {
    String client = newClient();
    for (int i = 0; i < 5; i++) {
      assertThat(get("/plain/ok", client).statusCode()).isEqualTo(200);
      assertThat(send("HEAD", "/plain/ok", client).statusCode()).isEqualTo(200);
    }
    HttpResponse<String> head = send("HEAD", "/plain/ok", client);
    assertThat(head.statusCode()).isEqualTo(429);
    assertThat(head.body()).isEmpty();
    for (String method : List.of("FOO", "get", "PROPFIND", "DELETE")) {
      assertThat(send(method, "/plain/ok", client).statusCode()).as(method).isEqualTo(429);
    }
    assertThat(get("/plain/ok", client, "X-HTTP-Method-Override", "OPTIONS").statusCode())
        .isEqualTo(429);
    String perRoute = newClient();
    for (int i = 0; i < 5; i++) {
      send(i % 2 == 0 ? "HEAD" : "GET", "/routes/ok", perRoute);
    }
    assertThat(get("/routes/ok", perRoute).statusCode()).as("one bucket").isEqualTo(429);
  }

  @Test
  void b25SpellingsOfAPathAreOneRoute() {
    List<String> spellings =
        List.of(
            "/routes/login",
            "/routes/login/",
            "/routes/LOGIN",
            "/routes//login",
            "/routes/./login",
            "/routes/%6cogin",
            "/routes/login;jsessionid=x",
            "/routes/login?a=b",
            "/routes/login%2f",
            "/routes/x/../login",
            "/routes/login.",
            "/routes/login%20",
            "//routes/login",
            "http://localhost/routes/login");
    String client = newClient();
    int served = 0;
    for (int round = 0; round < 4; round++) {
      for (String spelling : spellings) {
        int status = RawHttp.status(port(), "POST " + spelling, "X-Forwarded-For: " + client);
        served += status == 200 ? 1 : 0;
      }
    }
    // A spelling that the container takes as another route may cost, and never helps.
    assertThat(served).as("of %d", spellings.size() * 4).isBetween(1, 3);
    assertThat(send("POST", "/routes/login", client).statusCode()).isEqualTo(429);
  }

  @Test
  void b25AParameterInAPathMakesNoBucketOfItsOwn() {
    String client = newClient();
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      statuses.add(get("/routes/verify/code-" + i, client).statusCode());
    }
    assertThat(statuses).containsExactly(200, 200, 200, 200, 200, 429, 429);
    assertThat(get("/routes/ok", client).statusCode()).as("another route").isEqualTo(200);
  }

  @Test
  void b14ClientsDoNotChooseWhoTheyAre() {
    String client = newClient();
    int served = 0;
    for (int i = 0; i < 20; i++) {
      served +=
          get(
                          "/plain/ok",
                          "203.0.113." + i + ", " + client,
                          "Forwarded",
                          "for=192.0.2." + i,
                          "X-Real-IP",
                          "192.0.2." + i)
                      .statusCode()
                  == 200
              ? 1
              : 0;
    }
    assertThat(served).isEqualTo(10);
  }

  @Test
  void noThreadOfTheContainerWaits() {
    HttpResponse<String> answer = get("/async/ok", newClient());
    assertThat(answer.statusCode()).isEqualTo(200);
    // The container has fewer threads than there are requests that wait 30 ms each.
    List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
    long start = System.nanoTime();
    for (int i = 0; i < 200; i++) {
      answers.add(
          sendAsync(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + "/async/ok"))
                  .header("X-Forwarded-For", newClient())
                  .build()));
    }
    answers.forEach(it -> assertThat(it.join().statusCode()).isEqualTo(200));
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(15));
  }

  @Test
  void whatIsHeldIsFreeWhenTheResponseIsComplete() {
    String client = newClient();
    for (String endpoint :
        List.of("ok", "throw", "dispatch", "complete", "async-throw", "timeout", "forward")) {
      for (int i = 0; i < 3; i++) {
        int status = awaitFree(client, endpoint);
        assertThat(status).as(endpoint).isNotEqualTo(429);
      }
    }
  }

  /** The client can see the response an instant before the container is done with it. */
  private int awaitFree(String client, String endpoint) {
    AtomicInteger status = new AtomicInteger();
    Await.until(
        "the permit of " + endpoint,
        Duration.ofSeconds(5),
        () -> {
          status.set(get("/hold/" + endpoint, client).statusCode());
          return status.get() != 429;
        });
    return status.get();
  }

  @Test
  void whatIsHeldIsHeldUntilThen() {
    String client = newClient();
    String name = "n" + client.replace('.', '-');
    HttpRequest slow =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + "/hold/slow?name=" + name))
            .header("X-Forwarded-For", client)
            .build();
    CompletableFuture<HttpResponse<String>> first = sendAsync(slow);
    Await.until(
        "the permit to be taken",
        Duration.ofSeconds(5),
        () -> get("/hold/entered?name=" + name, newClient()).statusCode() == 200);
    assertThat(get("/hold/ok", client).statusCode()).isEqualTo(429);
    assertThat(first).isNotDone();
    assertThat(get("/hold/release?name=" + name, newClient()).statusCode()).isEqualTo(200);
    assertThat(first.join().statusCode()).isEqualTo(200);
    assertThat(awaitFree(client, "ok")).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"missing-", "gone/"})
  void theAdaptiveLayerHearsHowTheApplicationAnswered(String missing) {
    String client = newClient();
    HttpResponse<String> answer = get("/adaptive/ok", client, "User-Agent", "test");
    for (int i = 0; i < 300 && answer.statusCode() != 429; i++) {
      answer = get("/adaptive/" + missing + i, client, "User-Agent", "test");
    }
    assertThat(answer.statusCode()).as(tier(client)).isEqualTo(429);
    assertThat(answer.body())
        .contains("#abnormal-usage-detected")
        .doesNotContain("violated-policies", "UNMATCHED", "risk");
    assertThat(answer.headers().firstValue("RateLimit")).isEmpty();
    assertThat(answer.headers().firstValueAsLong("Retry-After").orElseThrow()).isPositive();
    assertThat(get("/adaptive/ok", newClient(), "User-Agent", "test").statusCode()).isEqualTo(200);
  }

  private String tier(String client) {
    return get("/adaptive/tier?subject=address:" + client, newClient()).body();
  }

  @Test
  void whatPeopleDecidedOfRangesIsObeyed() {
    HttpResponse<String> denied = get("/overridden/ok", "203.0.113.9");
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(denied.headers().firstValue("Retry-After")).isEmpty();
    assertThat(denied.body()).contains("#abnormal-usage-detected").doesNotContain("abuse");
    assertThat(get("/overridden/ok", newClient()).statusCode()).isEqualTo(200);
  }

  @Test
  void whileRedisIsAwayTheFailureModeAnswers() {
    String client = newClient();
    for (String mode : List.of("open", "closed", "local")) {
      HttpResponse<String> answer = get("/" + mode + "/ok", client);
      assertThat(answer.statusCode()).as(mode).isEqualTo(200);
      assertThat(answer.headers().firstValue("X-RateLimit-Limit")).contains("10");
    }
    mortalRedis().kill();
    int allowed = 0;
    for (int i = 0; i < 20; i++) {
      assertThat(get("/open/ok", client).statusCode()).isEqualTo(200);
      HttpResponse<String> closed = get("/closed/ok", client);
      assertThat(closed.statusCode()).isEqualTo(503);
      assertThat(closed.headers().firstValue("Retry-After")).contains("1");
      assertThat(closed.body()).contains("#temporary-reduced-capacity");
      allowed += get("/local/ok", client).statusCode() == 200 ? 1 : 0;
    }
    assertThat(allowed).as("half of the limit, in this process").isEqualTo(5);
  }

  @Test
  void b81FilesOfPagesAreFreeWhereThatIsAskedFor() {
    String client = newClient();
    for (int i = 0; i < 20; i++) {
      assertThat(get("/assets/app-" + i + ".css", client).statusCode()).isEqualTo(404);
    }
    for (int i = 0; i < 10; i++) {
      assertThat(send("POST", "/assets/app.css", client).statusCode()).isEqualTo(404);
    }
    assertThat(get("/assets/ok", client).statusCode()).isEqualTo(429);
  }

  @Test
  void aLimiterThatFailsIsA503AndNeverA500() {
    HttpResponse<String> answer = get("/broken/ok", newClient());
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("#temporary-reduced-capacity").doesNotContain("NOAUTH");
    assertThat(answer.headers().firstValue("Retry-After")).contains("1");
    assertThat(get("/broken-open/ok", newClient()).statusCode()).isEqualTo(200);
  }

  @Test
  void aCostThatIsNoneIsA503AndNeverA500() {
    String client = newClient();
    for (String cost : List.of("-1", "1000000001", "much")) {
      assertThat(get("/bad-cost/ok", client, "X-Cost", cost).statusCode()).as(cost).isEqualTo(503);
    }
    assertThat(get("/bad-cost/ok", client, "X-Cost", "0").headers().firstValue("RateLimit"))
        .as("a look")
        .hasValueSatisfying(it -> assertThat(it).contains(";r=10;"));
    assertThat(get("/bad-cost/ok", client, "X-Cost", "11").headers().firstValue("Retry-After"))
        .as("never")
        .isEmpty();
    assertThat(get("/bad-cost/ok", client, "X-Cost", "10").statusCode()).isEqualTo(200);
  }

  @Test
  void aLimiterThatHangsIsWaitedForNoLongerThanTheDeadline() {
    HttpResponse<String> answer = get("/hanging/ok", newClient());
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("#temporary-reduced-capacity");
  }

  @Test
  void aClientThatCannotBeToldIsRefused() {
    HttpResponse<String> answer = get("/nobody/ok", newClient());
    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body()).contains("cannot be told");
  }

  @Test
  void whatAFilterHasWrittenBeforeIsReplacedUnlessItIsSent() {
    String client = newClient();
    for (int i = 0; i < 10; i++) {
      assertThat(get("/committed/login", client).body()).startsWith("earlyok");
    }
    HttpResponse<String> refused = get("/committed/login", client);
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.body()).startsWith("{").endsWith("}");
    HttpResponse<String> sent = get("/committed/login?flush=1", client);
    assertThat(sent.statusCode()).isEqualTo(200);
    assertThat(sent.body()).as("the chain does not go on").isEqualTo("early");
  }
}
