package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.TestClient.Reply;
import dev.weir.testkit.ManualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Decisions over HTTP, on a clock that the test moves. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DecisionApiTest {

  private final ManualClock clock = new ManualClock();
  private final RunningServer server = RunningServer.inMemory(clock);
  private final TestClient client = server.client();

  @AfterAll
  void close() {
    server.close();
  }

  @Test
  void twelveAtOnceGetTenAndTheRestAreToldToWaitASecond() {
    List<CompletableFuture<Reply>> calls =
        IntStream.range(0, 12)
            .mapToObj(
                i -> client.sendAsync("POST", "/v1/acquire", TestClient.call("demo", "user:123")))
            .toList();
    List<Long> remaining = new ArrayList<>();
    for (Reply reply : calls.stream().map(CompletableFuture::join).toList()) {
      if (reply.status() == 200) {
        remaining.add(reply.json().get("remaining").asLong());
      } else {
        assertThat(reply.status()).isEqualTo(429);
        assertThat(reply.header("Retry-After")).isEqualTo("1");
        assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
        assertThat(reply.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(reply.json().get("type").asText()).endsWith("#quota-exceeded");
        assertThat(reply.json().get("violated-policies").get(0).asText())
            .isEqualTo(reply.json().get("limitedBy").asText());
        assertThat(reply.json().get("retryAfterMs").asLong()).isEqualTo(1000);
      }
    }
    assertThat(remaining).containsExactlyInAnyOrder(9L, 8L, 7L, 6L, 5L, 4L, 3L, 2L, 1L, 0L);
  }

  @Test
  void theBodyHasTheDocumentedFields() {
    Reply reply = client.acquire("demo", "fields");
    List<String> names = new ArrayList<>();
    reply.json().fieldNames().forEachRemaining(names::add);
    assertThat(names)
        .containsExactly(
            "allowed",
            "policy",
            "limit",
            "remaining",
            "retryAfterMs",
            "resetAfterMs",
            "delayMs",
            "limitedBy",
            "source");
    assertThat(reply.json().get("source").asText()).isEqualTo("memory");
    assertThat(reply.json().get("limitedBy").isNull()).isTrue();
    assertThat(reply.header("X-RateLimit-Limit")).isEqualTo("10");
    assertThat(reply.header("X-RateLimit-Remaining")).isEqualTo("9");
    assertThat(reply.header("RateLimit-Policy")).isEqualTo("\"token-bucket\";q=10;w=10");
    assertThat(reply.header("RateLimit")).isEqualTo("\"token-bucket\";r=9;t=1");
    assertThat(reply.header("Retry-After")).isEmpty();
  }

  @Test
  void aReservationIsSettledOnce() {
    Reply reserved =
        client.send("POST", "/v1/reserve", body("llm", ",\"cost\":8,\"expiresAfter\":\"30s\""));
    assertThat(reserved.status()).isEqualTo(200);
    assertThat(reserved.json().get("remaining").asLong()).isEqualTo(2);
    assertThat(reserved.json().get("expiresAfterMs").asLong()).isEqualTo(30_000);
    String id = reserved.json().get("reservation").asText();
    Reply settled =
        client.send(
            "POST", "/v1/settle", body("llm", ",\"cost\":3,\"reservation\":\"" + id + "\""));
    assertThat(settled.json().get("found").asBoolean()).isTrue();
    assertThat(settled.json().get("cost").asLong()).isEqualTo(3);
    assertThat(settled.json().get("remaining").asLong()).isEqualTo(7);
    Reply again = client.send("POST", "/v1/cancel", body("llm", ",\"reservation\":\"" + id + "\""));
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.json().get("found").asBoolean()).isFalse();
    Reply refused = client.send("POST", "/v1/reserve", body("llm", ",\"cost\":8"));
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.json().get("reservation").isNull()).isTrue();
  }

  @Test
  void chargesMayOweAndRefundsGiveBack() {
    Reply owed = client.send("POST", "/v1/charge", body("post-paid", ",\"cost\":15"));
    assertThat(owed.status()).isEqualTo(200);
    assertThat(owed.json().get("remaining").asLong()).isZero();
    assertThat(client.acquire("demo", "post-paid").json().get("retryAfterMs").asLong())
        .isEqualTo(6_000);
    Reply back = client.send("POST", "/v1/refund", body("post-paid", ",\"cost\":6"));
    assertThat(back.json().get("remaining").asLong()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/v1/reserve | ,'cost':0                | cost",
        "/v1/reserve | ,'expiresAfter':'2d'     | expiresAfter",
        "/v1/reserve | ,'reservation':'r0-0'    | reservation",
        "/v1/settle  | ,'cost':1                | reservation",
        "/v1/settle  | ,'reservation':'mine'    | reservation",
        "/v1/cancel  | ,'reservation':'r0-0','cost':1 | cost",
        "/v1/refund  | ,'cost':-5               | cost",
        "/v1/charge  | ,'cost':1.5              | cost",
      })
  void whatCannotBeUsedIsNamed(String path, String fields, String blamed) {
    Reply reply = client.send("POST", path, body("bad", fields.replace('\'', '"')));
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.json().get("field").asText()).isEqualTo(blamed);
  }

  private static String body(String key, String more) {
    return "{\"policy\":\"demo\",\"key\":\"" + key + "\"" + more + "}";
  }

  @Test
  void waitsAreRoundedUpAndObeyingThemIsAllowed() {
    client.put(
        "slow",
        "{\"algorithm\":\"token-bucket\",\"capacity\":1,\"refillTokens\":3,"
            + "\"refillPeriod\":\"10s\"}");
    assertThat(client.acquire("slow", "u").status()).isEqualTo(200);
    clock.advance(100_000);
    Reply refused = client.acquire("slow", "u");
    assertThat(refused.json().get("retryAfterMs").asLong()).isEqualTo(3234);
    assertThat(refused.header("Retry-After")).isEqualTo("4");
    clock.advance(3_234_000);
    assertThat(client.acquire("slow", "u").status()).isEqualTo(200);
  }

  @Test
  void peekAndResetAndCostZeroChargeNothing() {
    client.send("POST", "/v1/acquire", TestClient.call("demo", "look", 10));
    assertThat(client.send("POST", "/v1/peek", TestClient.call("demo", "look")).status())
        .isEqualTo(429);
    Reply look = client.send("POST", "/v1/acquire", TestClient.call("demo", "look", 0));
    assertThat(look.status()).isEqualTo(200);
    assertThat(look.json().get("remaining").asLong()).isZero();
    Reply reset = client.send("POST", "/v1/reset", TestClient.call("demo", "look"));
    assertThat(reset.status()).isEqualTo(200);
    assertThat(reset.json().get("reset").asBoolean()).isTrue();
    Reply peek = client.send("POST", "/v1/peek", TestClient.call("demo", "look", 10));
    assertThat(peek.status()).isEqualTo(200);
    assertThat(peek.json().get("remaining").asLong()).isEqualTo(10);
  }

  @Test
  void aCostAboveTheCapacityHasNoWait() {
    Reply never = client.send("POST", "/v1/acquire", TestClient.call("demo", "never", 11));
    assertThat(never.status()).isEqualTo(429);
    assertThat(never.json().get("retryAfterMs").isNull()).isTrue();
    assertThat(never.json().get("remaining").asLong()).isEqualTo(10);
    assertThat(never.header("Retry-After")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{'algorithm':'token-bucket','capacity':2,'refillTokens':1,'refillPeriod':'1m'};60;120;0",
        "{'algorithm':'fixed-window','limit':2,'window':'1m'};60;60;0",
        "{'algorithm':'sliding-window-log','limit':2,'window':'1m'};60;60;0",
        "{'algorithm':'sliding-window-counter','limit':2,'window':'1m'};90;120;0",
        "{'algorithm':'leaky-bucket','capacity':2,'leakPermits':1,'leakPeriod':'1m'};60;120;0",
        "{'algorithm':'leaky-bucket','capacity':2,'leakPermits':1,'leakPeriod':'1m',"
            + "'mode':'shaping'};60;120;60000",
      })
  void everyAlgorithmByItsWords(String limit, String retry, long reset, long delay) {
    assertThat(client.put("p", limit.replace('\'', '"')).status()).isEqualTo(200);
    clock.set(ManualClock.MIDNIGHT);
    client.send("POST", "/v1/reset", TestClient.call("p", "u"));
    client.acquire("p", "u");
    assertThat(client.acquire("p", "u").json().get("delayMs").asLong()).isEqualTo(delay);
    Reply refused = client.acquire("p", "u");
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.header("Retry-After")).isEqualTo(retry);
    assertThat(refused.json().get("resetAfterMs").asLong()).isEqualTo(reset * 1000);
  }

  @Test
  void severalLimitsAreChargedAllOrNone() {
    client.send(
        "PUT",
        "/v1/policies/two",
        """
        {"limits":[
          {"algorithm":"fixed-window","name":"per-minute","limit":1,"window":"1m"},
          {"algorithm":"fixed-window","name":"per-hour","limit":10,"window":"1h"}]}""");
    client.acquire("two", "u");
    for (int i = 0; i < 20; i++) {
      Reply refused = client.acquire("two", "u");
      assertThat(refused.json().get("limitedBy").asText()).isEqualTo("per-minute");
      assertThat(refused.header("RateLimit-Policy"))
          .isEqualTo("\"per-minute\";q=1;w=60, \"per-hour\";q=10;w=3600");
    }
    for (int minute = 1; minute < 10; minute++) {
      clock.advance(60_000_000);
      assertThat(client.acquire("two", "u").status()).isEqualTo(200);
    }
    clock.advance(60_000_000);
    assertThat(client.acquire("two", "u").json().get("limitedBy").asText()).isEqualTo("per-hour");
  }
}
