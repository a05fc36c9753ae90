package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.TestClient.Reply;
import dev.weir.testkit.Await;
import dev.weir.testkit.RedisServer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Services that share a Redis share their limits, and outlive its silence. */
class RedisStoreTest {

  @Test
  void twoServicesTogetherAdmitTheLimitAndTheKeyExpires() {
    try (RedisServer redis = RedisServer.start();
        RunningServer one = RunningServer.on(redis);
        RunningServer two = RunningServer.on(redis)) {
      one.client().put("p", hourly());
      two.client().put("p", hourly());
      int allowed = 0;
      for (int i = 0; i < 20; i++) {
        Reply reply = (i % 2 == 0 ? one : two).client().acquire("p", "user:123");
        assertThat(reply.json().get("source").asText()).isEqualTo("redis");
        allowed += reply.status() == 200 ? 1 : 0;
      }
      assertThat(allowed).isEqualTo(10);
      assertThat((Long) redis.command("PTTL", "weir:{p:user:123}")).isBetween(1L, 3_600_001L);
    }
  }

  @Test
  void aSilentRedisIsStoodInForInTimeAndIsUsedAgainWhenItAnswers() {
    try (RedisServer redis = RedisServer.start();
        RunningServer server = RunningServer.on(redis)) {
      server.client().put("p", hourly());
      server
          .client()
          .send(
              "PUT",
              "/v1/policies/login",
              "{\"failureMode\":\"closed\",\"limits\":[" + hourly() + "]}");
      assertThat(server.client().acquire("p", "u").status()).isEqualTo(200);
      redis.pause();
      long start = System.nanoTime();
      Reply silent = server.client().acquire("p", "u");
      assertThat(System.nanoTime() - start).isLessThan(2_000_000_000L);
      Reply closed = server.client().acquire("login", "u");
      redis.resume();
      assertThat(silent.status()).isEqualTo(200);
      assertThat(silent.json().get("source").asText()).isEqualTo("degraded-local");
      assertThat(closed.status()).isEqualTo(429);
      assertThat(closed.json().get("source").asText()).isEqualTo("degraded-closed");
      assertThat(closed.header("Retry-After")).isEqualTo("1");
      long deadline = System.nanoTime() + 10_000_000_000L;
      while (!"redis".equals(server.client().acquire("p", "b").json().get("source").asText())) {
        assertThat(System.nanoTime()).as("Redis is used again").isLessThan(deadline);
      }
    }
  }

  @Test
  void aSilentRedisCostsOneBudgetForAllPoliciesTogether() {
    try (RedisServer redis = RedisServer.start();
        RunningServer server = RunningServer.on(redis)) {
      for (int i = 0; i < 30; i++) {
        server.client().put("p" + i, hourly());
        assertThat(server.client().acquire("p" + i, "u").json().get("source").asText())
            .isEqualTo("redis");
      }
      redis.pause();
      long start = System.nanoTime();
      for (int i = 0; i < 30; i++) {
        assertThat(server.client().acquire("p" + i, "u").json().get("source").asText())
            .isEqualTo("degraded-local");
      }
      // A budget is 100 ms: 30 of them would be three seconds.
      assertThat(System.nanoTime() - start).isLessThan(1_500_000_000L);
      redis.resume();
    }
  }

  @Test
  void aRedisThatWasEmptiedOpensNothing() {
    try (RedisServer redis = RedisServer.start();
        RunningServer server = RunningServer.on(redis)) {
      server.client().put("p", hourly());
      server.client().put("q", hourly());
      redis.command("FLUSHALL");
      Await.until(
          "the store has them again",
          Duration.ofSeconds(10),
          () -> "1".equals(String.valueOf(redis.command("GET", "weir:{@policies}:newest"))));
      assertThat(server.client().acquire("p", "u").status()).isEqualTo(200);
      assertThat(server.client().put("r", hourly()).status()).isEqualTo(200);
      try (RunningServer other = RunningServer.on(redis)) {
        assertThat(other.client().acquire("q", "u").status()).isEqualTo(200);
        assertThat(other.client().acquire("r", "u").status()).isEqualTo(200);
      }
    }
  }

  @Test
  void whatOneServiceHearsOfASubjectTheOtherJudgesBy() {
    String policies =
        """
        policies:
          - name: shop
            match: any
            key: address
            limits: [{algorithm: fixed-window, limit: 1000, window: 1h}]
            adaptive: {mode: enforce}
        """;
    try (RedisServer redis = RedisServer.start();
        RunningServer one = RunningServer.on(redis)) {
      one.client()
          .send(
              "POST",
              "/v1/admin/draft/apply",
              TestClient.json(Map.of("text", policies, "version", 0)));
      try (RunningServer two = RunningServer.on(redis)) {
        Map<String, ?> call = Map.of("address", "9.1.1.1", "path", "/");
        String decide = TestClient.json(call);
        Reply first = two.client().send("POST", "/v1/decide", decide);
        assertThat(first.json().get("source").asText()).isEqualTo("redis");
        assertThat(first.json().get("tier").asText()).isEqualTo("normal");
        for (int i = 0; i < 12; i++) {
          one.client()
              .send(
                  "POST",
                  "/v1/report",
                  TestClient.json(
                      Map.of("address", "9.1.1.1", "path", "/.git/" + i, "status", 404)));
        }
        Await.until(
            "two refuses",
            Duration.ofSeconds(10),
            () -> two.client().send("POST", "/v1/decide", decide).status() == 429);
        String subject = "/v1/admin/subject?limits=shop&key=address:9.1.1.1";
        assertThat(two.client().send("GET", subject, "").json().get("tier").asText())
            .isEqualTo("blocked");
        assertThat(
                two.client()
                    .send("GET", "/v1/admin/subjects?view=blocked", "")
                    .json()
                    .get("subjects"))
            .hasSize(1);
      }
    }
  }

  private static String hourly() {
    return "{\"algorithm\":\"fixed-window\",\"limit\":10,\"window\":\"1h\"}";
  }
}
