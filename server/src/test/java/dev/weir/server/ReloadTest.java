package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that changes while the service runs: whole or not at all. */
class ReloadTest {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final String FIVE =
      """
      policies:
        - name: p
          match: any
          key: user
          limits: [{algorithm: fixed-window, limit: 5, window: 1h}]
      """;

  private static long limit(RunningServer server) {
    String call = "{\"policy\":\"p\",\"key\":\"other\"}";
    return server.client().send("POST", "/v1/peek", call).json().path("limit").asLong();
  }

  @Test
  void anAdaptivePolicyKeepsWhatWasUsedAndWhatIsKnown(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("weir.yaml");
    String adaptive = FIVE.replace("key: user", "key: user\n    adaptive: {mode: enforce}");
    Files.writeString(file, adaptive);
    try (RunningServer server = RunningServer.with(file, null)) {
      server.client().send("POST", "/v1/decide", "{\"user\":\"u\",\"cost\":4}");
      for (int i = 0; i < 12; i++) {
        String outcome = "{\"user\":\"bad\",\"path\":\"/.env%d\",\"status\":404}".formatted(i);
        server.client().send("POST", "/v1/report", outcome);
      }
      String bad = "{\"user\":\"bad\"}";
      assertThat(server.client().send("POST", "/v1/decide", bad).status()).isEqualTo(429);
      Files.writeString(file, adaptive.replace("limit: 5", "limit: 9"));
      Await.until("the limit is 9", PATIENCE, () -> limit(server) == 9);
      var used = server.client().send("POST", "/v1/decide", "{\"user\":\"u\",\"cost\":3}");
      assertThat(used.json().get("remaining").asLong()).isEqualTo(2);
      assertThat(server.client().send("POST", "/v1/decide", bad).status()).isEqualTo(429);
      Files.writeString(file, adaptive.replace("mode: enforce", "mode: shadow"));
      Await.until(
          "nobody is blocked any more",
          PATIENCE,
          () -> server.client().send("POST", "/v1/decide", bad).status() == 200);
    }
  }

  @Test
  void whatWasUsedIsKeptAndABadFileChangesNothing(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("weir.yaml");
    Files.writeString(file, FIVE);
    try (RunningServer server = RunningServer.with(file, null)) {
      String call = "{\"user\":\"u\",\"cost\":4}";
      assertThat(server.client().send("POST", "/v1/decide", call).status()).isEqualTo(200);
      assertThat(server.client().send("POST", "/v1/decide", call).status()).isEqualTo(429);

      Files.writeString(file, FIVE.replace("limit: 5", "limit: 9"));
      Await.until("the limit is 9", PATIENCE, () -> limit(server) == 9);
      var second = server.client().send("POST", "/v1/decide", call);
      assertThat(second.status()).isEqualTo(200);
      assertThat(second.json().get("remaining").asLong()).isEqualTo(1);

      Files.writeString(file, FIVE.replace("limit: 5", "limit: none"));
      Await.until(
          "the mistake is told",
          PATIENCE,
          () ->
              server
                      .client()
                      .send("GET", "/v1/admin/status", "")
                      .json()
                      .at("/config/mistakes/0/line")
                      .asInt()
                  == 5);
      assertThat(limit(server)).isEqualTo(9);
      var status = server.client().send("GET", "/v1/admin/status", "").json().get("config");
      assertThat(status.get("failures").asInt()).isEqualTo(1);
      assertThat(status.get("loads").asInt()).isEqualTo(2);

      Files.writeString(file, FIVE.replace("name: p", "name: q"));
      Await.until("p is gone", PATIENCE, () -> server.client().acquire("p", "u").status() == 404);
      assertThat(server.client().acquire("q", "u").status()).isEqualTo(200);
      assertThat(
              server
                  .client()
                  .send("GET", "/v1/admin/status", "")
                  .json()
                  .at("/config/mistakes")
                  .isEmpty())
          .isTrue();
    }
  }
}
