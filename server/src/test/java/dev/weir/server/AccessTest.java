package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.security.ApiKey;
import dev.weir.testkit.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may do what, with keys and without. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccessTest {

  private static final String DECIDE = ApiKey.random();
  private static final String READ = ApiKey.random();
  private static final String ADMIN = ApiKey.random();

  private RunningServer server;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("keys.yaml");
    Files.writeString(
        file,
        "apiKeys:\n"
            + line("gateway", "decide", DECIDE)
            + line("viewer", "read", READ)
            + line("operator", "admin", ADMIN));
    server = RunningServer.with(null, file);
  }

  private static String line(String name, String role, String key) {
    return "  - {name: %s, role: %s, hash: \"%s\"}%n".formatted(name, role, ApiKey.hashOf(key));
  }

  @AfterAll
  void close() {
    server.close();
  }

  private int status(String method, String path, String key) {
    String body = method.equals("GET") ? "" : "{}";
    return key.isEmpty()
        ? server.client().send(method, path, body).status()
        : server.client().send(method, path, body, "Authorization", "Bearer " + key).status();
  }

  // 400 says that the request was let in and its body is wrong.
  @ParameterizedTest
  @CsvSource({
    "GET,  /healthz,                 200, 200, 200, 200",
    "GET,  /,                        200, 200, 200, 200",
    "POST, /v1/acquire,              401, 400, 403, 400",
    "POST, /v1/decide,               401, 200, 403, 200",
    "GET,  /v1/policies,             401, 403, 200, 200",
    "PUT,  /v1/policies/p,           401, 403, 403, 400",
    "GET,  /v1/admin/live,           401, 403, 200, 200",
    "POST, /v1/admin/draft/validate, 401, 403, 400, 400",
    "POST, /v1/admin/draft/apply,    401, 403, 403, 400",
    "POST, /v1/admin/overrides/put,  401, 403, 403, 400",
    "POST, /v1/admin/rollback,       401, 403, 403, 400",
  })
  void eachRoleHasItsPaths(String method, String path, int none, int decide, int read, int admin) {
    assertThat(status(method, path, "")).isEqualTo(none);
    assertThat(status(method, path, "weir_wrong")).isEqualTo(none);
    assertThat(status(method, path, DECIDE)).isEqualTo(decide);
    assertThat(status(method, path, READ)).isEqualTo(read);
    assertThat(status(method, path, ADMIN)).isEqualTo(admin);
  }

  @Test
  void theHolderIsTheAuthor() {
    String limits = "{\"limits\":[{\"algorithm\":\"concurrency\",\"permits\":1,\"lease\":\"1s\"}]}";
    var put = server.client().send("PUT", "/v1/policies/mine", limits, "X-API-Key", ADMIN);
    assertThat(put.status()).isEqualTo(200);
    var versions = server.client().send("GET", "/v1/admin/versions", "", "X-API-Key", READ);
    assertThat(versions.json().at("/versions/0/author").asText()).isEqualTo("operator");
  }

  @Test
  void aPageElsewhereThatTakesThisAddressIsNotThisMachine() throws IOException {
    try (RunningServer open = RunningServer.inMemory();
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), open.port())) {
      String request =
          "GET /v1/admin/status HTTP/1.1\r\nHost: elsewhere.example\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .startsWith("HTTP/1.1 403 ");
    }
  }

  @Test
  void aFileThatLosesItsKeysLetsNobodyIn(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("keys.yaml");
    Files.writeString(file, "apiKeys:\n" + line("operator", "admin", ADMIN));
    try (RunningServer own = RunningServer.with(null, file)) {
      assertThat(own.client().send("GET", "/v1/admin/status", "", "X-API-Key", ADMIN).status())
          .isEqualTo(200);
      Files.writeString(file, "apiKeys: []\n");
      Await.until(
          "the key is not known any more",
          Duration.ofSeconds(10),
          () ->
              own.client().send("GET", "/v1/admin/status", "", "X-API-Key", ADMIN).status() == 401);
      assertThat(own.client().send("GET", "/v1/admin/status", "").status()).isEqualTo(401);
      assertThat(own.client().acquire("demo", "u").status()).isEqualTo(401);
    }
  }

  @Test
  void withoutKeysOnlyThisMachineLooksBehind() {
    try (RunningServer open = RunningServer.inMemory()) {
      assertThat(open.client().send("GET", "/v1/admin/status", "").status()).isEqualTo(200);
      assertThat(
              open.client()
                  .send("GET", "/v1/admin/status", "", "X-Forwarded-For", "9.9.9.9")
                  .status())
          .isEqualTo(403);
      assertThat(
              open.client()
                  .send("PUT", "/v1/policies/p", "{}", "X-Forwarded-For", "9.9.9.9")
                  .status())
          .isEqualTo(403);
      assertThat(
              open.client()
                  .send(
                      "POST",
                      "/v1/acquire",
                      TestClient.call("demo", "u"),
                      "X-Forwarded-For",
                      "9.9.9.9")
                  .status())
          .isEqualTo(200);
    }
  }
}
