package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.server.TestClient.Reply;
import dev.weir.testkit.Await;
import dev.weir.testkit.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The admin interface: what was seen, who is limited and why, and changes with their trail. */
class AdminApiTest {

  private static final Duration A_SECOND = Duration.ofSeconds(1);
  private static final String API =
      """
      policies:
        - name: api
          match: any
          key: address
          limits: [{name: hourly, algorithm: fixed-window, limit: 3, window: 1h}]
          adaptive: {mode: enforce}
      """;

  private RunningServer server;

  @BeforeEach
  void start() {
    server = RunningServer.inMemory();
    assertThat(apply(API, 0).status()).isEqualTo(200);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private Reply post(String path, Map<String, ?> body) {
    return server.client().send("POST", "/v1/admin/" + path, TestClient.json(body));
  }

  private JsonNode get(String path) {
    Reply reply = server.client().send("GET", "/v1/admin/" + path, "");
    assertThat(reply.status()).as(reply.response().body()).isEqualTo(200);
    return reply.json();
  }

  private Reply apply(String text, long version) {
    return post("draft/apply", Map.of("text", text, "version", version));
  }

  private Reply decide(String address) {
    return server
        .client()
        .send("POST", "/v1/decide", TestClient.json(Map.of("address", address, "path", "/x")));
  }

  @Test
  void figuresAndSubjectsAreWhatWasDecided() {
    for (int i = 0; i < 5; i++) {
      decide("9.1.1.1");
    }
    decide("9.1.1.2");
    JsonNode figures = get("live?minutes=1").at("/policies/api");
    assertThat(sum(figures, "requests")).isEqualTo(6);
    assertThat(sum(figures, "allowed")).isEqualTo(4);
    assertThat(sum(figures, "limited")).isEqualTo(2);
    JsonNode limited = get("subjects?view=limited").get("subjects");
    assertThat(limited).hasSize(1);
    assertThat(limited.at("/0/key").asText()).isEqualTo("address:9.1.1.1");
    assertThat(limited.at("/0/refusedLately").asInt()).isEqualTo(2);
    assertThat(get("subjects?search=1.1.2").get("subjects")).hasSize(1);
    JsonNode one = get("subject?limits=api&key=address:9.1.1.1");
    assertThat(one.at("/limitStates/0/name").asText()).isEqualTo("hourly");
    assertThat(one.at("/limitStates/0/remaining").asInt()).isEqualTo(0);
    assertThat(one.at("/limitStates/0/retryAfterMs").asLong()).isBetween(3_500_000L, 3_600_000L);
    assertThat(one.get("tier").asText()).isEqualTo("normal");
  }

  private static long sum(JsonNode figures, String figure) {
    long sum = 0;
    for (JsonNode count : figures.get(figure)) {
      sum += count.asLong();
    }
    return sum;
  }

  @Test
  void aBlockHoldsUntilItIsTakenBackAndLeavesATrail() {
    String subject = "address:9.2.0.1";
    Reply put =
        post(
            "overrides/put",
            Map.of("subject", subject, "kind", "block", "reason", "spam", "expiresAfter", "1h"));
    assertThat(put.status()).as(put.response().body()).isEqualTo(200);
    assertThat(decide("9.2.0.1").status()).isEqualTo(429);
    assertThat(decide("9.2.0.2").status()).isEqualTo(200);
    assertThat(get("subject?limits=api&key=" + subject).at("/override/reason").asText())
        .isEqualTo("spam");
    assertThat(sum(get("live").at("/policies/api"), "blocked")).isEqualTo(1);
    assertThat(post("overrides/remove", Map.of("subject", subject)).status()).isEqualTo(200);
    assertThat(decide("9.2.0.1").status()).isEqualTo(200);
    post("overrides/put", Map.of("range", "9.3.0.0/16", "kind", "block", "reason", "botnet"));
    assertThat(decide("9.3.7.7").status()).isEqualTo(429);
    post("overrides/put", Map.of("subject", subject, "kind", "allow", "reason", "partner"));
    for (int i = 0; i < 10; i++) {
      assertThat(decide("9.2.0.1").status()).isEqualTo(200);
    }
    assertThat(post("subject/reset", Map.of("limits", "api", "key", subject)).status())
        .isEqualTo(200);
    JsonNode trail = get("audit").get("lines");
    assertThat(trail.findValuesAsText("action"))
        .containsExactly("forgotten", "set", "set", "lifted", "set");
    assertThat(trail.findValuesAsText("author")).containsOnly("local");
  }

  @Test
  void anOverrideSaysWhatIsWrongWithIt() {
    assertThat(post("overrides/put", Map.of("subject", "a", "kind", "block")).json().get("field"))
        .hasToString("\"reason\"");
    assertThat(
            post("overrides/put", Map.of("range", "a", "kind", "block", "reason", "r"))
                .json()
                .get("detail")
                .asText())
        .contains("'a' is no range of addresses");
    assertThat(post("overrides/remove", Map.of("subject", "nobody")).status()).isEqualTo(404);
  }

  @Test
  void aScannerIsAnAnomalyWithReasons() {
    for (int i = 0; i < 2; i++) {
      server
          .client()
          .send(
              "POST",
              "/v1/report",
              TestClient.json(Map.of("address", "9.4.0.1", "path", "/.env" + i, "status", 404)));
      decide("9.4.0.1");
    }
    JsonNode anomaly = get("anomalies").at("/anomalies/0");
    assertThat(anomaly.get("key").asText()).isEqualTo("address:9.4.0.1");
    assertThat(anomaly.get("why").asText()).contains("asks for");
    JsonNode one = get("subject?limits=api&key=address:9.4.0.1");
    assertThat(one.get("signals")).isNotEmpty();
    assertThat(one.get("risks")).isNotEmpty();
    assertThat(one.get("next").asText()).contains("If it stays away it is");
    assertThat(get("subjects?view=above-normal").get("subjects")).hasSize(1);
  }

  @Test
  void aDraftIsCheckedComparedAppliedAndRolledBack() {
    for (int i = 0; i < 4; i++) {
      decide("9.5.0.1");
    }
    String draft = API.replace("limit: 3", "limit: 1");
    JsonNode bad = post("draft/validate", Map.of("text", draft.replace("1h", "soon"))).json();
    assertThat(bad.at("/mistakes/0/line").asInt()).isEqualTo(5);
    JsonNode diff = post("draft/diff", Map.of("text", draft)).json().get("lines");
    assertThat(diff.toString())
        .contains("{\"sign\":\"-\",\"text\":\"        limit: 3\"}")
        .contains("{\"sign\":\"+\",\"text\":\"        limit: 1\"}");
    JsonNode compared = post("draft/compare", Map.of("text", draft)).json();
    assertThat(compared.get("requests").asInt()).isEqualTo(4);
    assertThat(compared.at("/now/api/refused").asInt()).isEqualTo(1);
    assertThat(compared.at("/draft/api/refused").asInt()).isEqualTo(3);
    assertThat(compared.at("/differences/0/key").asText()).isEqualTo("address:9.5.0.1");
    Map<String, ?> request = Map.of("address", "9.5.0.9", "path", "/x", "cost", 2);
    JsonNode tried = post("draft/try", Map.of("text", draft, "request", request)).json();
    assertThat(tried.get("allowed").asBoolean()).isFalse();
    assertThat(sum(get("live").at("/policies/api"), "requests")).isEqualTo(4);
    assertThat(apply(draft, 7).status()).isEqualTo(409);
    assertThat(apply(draft, 1).json().get("version").asLong()).isEqualTo(2);
    assertThat(decide("9.5.0.2").json().get("limit").asLong()).isEqualTo(1);
    assertThat(post("rollback", Map.of("version", 1)).json().get("version").asLong()).isEqualTo(3);
    assertThat(decide("9.5.0.2").json().get("remaining").asLong()).isEqualTo(1);
    assertThat(get("versions").get("versions").findValuesAsText("note"))
        .containsExactly("rolled back to version 1", "applied a draft", "applied a draft");
  }

  @Test
  void aPolicyOfTheFileIsChangedThere(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("weir.yaml");
    Files.writeString(file, API);
    try (RunningServer own = RunningServer.with(file, null)) {
      Reply put =
          own.client().put("api", "{\"algorithm\":\"concurrency\",\"permits\":1,\"lease\":\"1s\"}");
      assertThat(put.status()).isEqualTo(409);
      assertThat(put.json().get("detail").asText()).contains("change it there");
      assertThat(own.client().send("GET", "/v1/policies/demo", "").status()).isEqualTo(404);
      // One that was set before the file had its name hinders no other.
      Files.writeString(file, API.replace("name: api", "name: other"));
      Await.until(
          "other runs",
          A_SECOND.multipliedBy(10),
          () -> own.client().acquire("other", "u").status() == 200);
      String limit = "{\"algorithm\":\"concurrency\",\"permits\":1,\"lease\":\"1s\"}";
      assertThat(own.client().put("api", limit).status()).isEqualTo(200);
      Files.writeString(file, API);
      Await.until(
          "the file has it",
          A_SECOND.multipliedBy(10),
          () -> own.client().acquire("other", "u").status() == 404);
      assertThat(own.client().put("another", limit).status()).isEqualTo(200);
      assertThat(own.client().put("api", limit.replace("1s", "2s")).status()).isEqualTo(409);
    }
  }

  @Test
  void whatIsSetOnOneNodeHoldsOnAllWithinASecond() {
    try (RedisServer redis = RedisServer.start();
        RunningServer one = RunningServer.on(redis);
        RunningServer two = RunningServer.on(redis)) {
      String limit = "{\"algorithm\":\"fixed-window\",\"limit\":7,\"window\":\"1h\"}";
      assertThat(one.client().put("shared", limit).status()).isEqualTo(200);
      Await.until(
          "two has it", A_SECOND, () -> two.client().acquire("shared", "u").status() == 200);
      String block =
          TestClient.json(Map.of("range", "9.0.0.0/8", "kind", "block", "reason", "attack"));
      one.client()
          .send(
              "POST", "/v1/admin/draft/apply", TestClient.json(Map.of("text", API, "version", 1)));
      one.client().send("POST", "/v1/admin/overrides/put", block);
      String call = TestClient.json(Map.of("address", "9.6.0.1", "path", "/x"));
      Await.until(
          "two refuses",
          A_SECOND,
          () -> two.client().send("POST", "/v1/decide", call).status() == 429);
      assertThat(
              two.client().send("GET", "/v1/admin/audit", "").json().at("/lines/0/reason").asText())
          .isEqualTo("attack");
      try (RunningServer three = RunningServer.on(redis)) {
        assertThat(three.client().send("POST", "/v1/decide", call).status()).isEqualTo(429);
      }
    }
  }
}
