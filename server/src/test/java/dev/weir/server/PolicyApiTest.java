package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.TestClient.Reply;
import dev.weir.server.policy.PolicyRegistry;
import dev.weir.testkit.ManualClock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Policies over HTTP: changed while the service runs, with what was used kept. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PolicyApiTest {

  private static final String DEMO =
      "{\"name\":\"demo\",\"limits\":[{\"algorithm\":\"token-bucket\",\"capacity\":10,"
          + "\"refillTokens\":1,\"refillPeriod\":\"1s\",\"refill\":\"interval\"}]}";
  private static final String FIVE =
      "{\"algorithm\":\"fixed-window\",\"limit\":5,\"window\":\"1m\"}";
  private static final String TEN =
      "{\"algorithm\":\"fixed-window\",\"limit\":10,\"window\":\"1m\"}";

  private final RunningServer server = RunningServer.inMemory(new ManualClock());
  private final TestClient client = server.client();

  @AfterAll
  void close() {
    server.close();
  }

  @Test
  void demoIsThereAndReadsBackAsItIsWritten() {
    assertThat(client.send("GET", "/v1/policies", "").response().body()).contains(DEMO);
    Reply demo = client.send("GET", "/v1/policies/demo", "");
    assertThat(demo.response().body()).isEqualTo(DEMO);
    Reply again = client.send("PUT", "/v1/policies/demo", demo.response().body());
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.response().body()).isEqualTo(DEMO);
  }

  @Test
  void b10TheSamePolicyAgainRefillsNothing() {
    int allowed = 0;
    for (int i = 0; i < 20; i++) {
      client.put("p", FIVE);
      allowed += client.acquire("p", "u").status() == 200 ? 1 : 0;
    }
    assertThat(allowed).isEqualTo(5);
  }

  @Test
  void b08AChangeActsOnTheNextCallAndKeepsWhatWasUsed() {
    client.put("changed", FIVE);
    client.send("POST", "/v1/acquire", TestClient.call("changed", "u", 5));
    assertThat(client.acquire("changed", "u").status()).isEqualTo(429);
    client.put("changed", TEN);
    assertThat(client.acquire("changed", "u").json().get("remaining").asLong()).isEqualTo(4);
    client.put("changed", FIVE);
    assertThat(client.acquire("changed", "u").status()).isEqualTo(429);
    client.put("changed", "{\"algorithm\":\"sliding-window-log\",\"limit\":8,\"window\":\"1m\"}");
    assertThat(client.acquire("changed", "u").json().get("remaining").asLong()).isEqualTo(1);
  }

  @Test
  void aCalendarIsWrittenAsAUnitAndAZone() {
    String limit =
        "{\"algorithm\":\"calendar-window\",\"limit\":2,"
            + "\"unit\":\"day\",\"zone\":\"Asia/Kolkata\"}";
    assertThat(client.put("daily", limit).response().body()).contains(limit);
    client.acquire("daily", "u");
    client.acquire("daily", "u");
    // The clock stands at 2025-09-21T00:00Z, which is 05:30 in Kolkata.
    Reply refused = client.acquire("daily", "u");
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.response().headers().firstValue("retry-after")).hasValue("66600");
    Reply unknown = client.put("daily", limit.replace("Kolkata", "Kolkatta"));
    assertThat(unknown.status()).isEqualTo(400);
    assertThat(unknown.response().body()).contains("did you mean 'Asia/Kolkata'?");
  }

  @Test
  void thereIsAMostOfPolicies() {
    try (RunningServer own = RunningServer.inMemory()) {
      for (int i = 1; i < PolicyRegistry.MAX_POLICIES; i++) {
        assertThat(own.client().put("p" + i, FIVE).status()).isEqualTo(200);
      }
      Reply tooMany = own.client().put("one-more", FIVE);
      assertThat(tooMany.status()).isEqualTo(409);
      assertThat(tooMany.json().get("detail").asText()).contains("1000 policies");
      assertThat(own.client().put("p1", TEN).status()).isEqualTo(200);
    }
  }
}
