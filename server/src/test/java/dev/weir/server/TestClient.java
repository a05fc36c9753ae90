package dev.weir.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Calls a running service as any program would. */
public final class TestClient {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI root;

  /** A client of the service on that port. */
  public TestClient(int port) {
    this.root = URI.create("http://localhost:" + port);
  }

  /** An answer: its status, headers, and body as text. */
  public record Reply(HttpResponse<String> response) {

    int status() {
      return response.statusCode();
    }

    /** A header that is there at most once, or an empty text. */
    String header(String name) {
      if (response.headers().allValues(name).size() > 1) {
        throw new AssertionError("more than one " + name + ": " + response.headers());
      }
      return response.headers().firstValue(name).orElse("");
    }

    JsonNode json() {
      try {
        return JSON.readTree(response.body());
      } catch (IOException e) {
        throw new UncheckedIOException(response.body(), e);
      }
    }
  }

  /** Sends a request with a body and no content type, as careless clients do. */
  public Reply send(String method, String path, String body, String... headers) {
    return sendAsync(method, path, body, headers).join();
  }

  CompletableFuture<Reply> sendAsync(String method, String path, String body, String... headers) {
    return sendBytes(method, path, body.getBytes(java.nio.charset.StandardCharsets.UTF_8), headers);
  }

  CompletableFuture<Reply> sendBytes(String method, String path, byte[] body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(root.resolve(path))
            .timeout(Duration.ofSeconds(20))
            .method(
                method,
                body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return http.sendAsync(request.build(), BodyHandlers.ofString()).thenApply(Reply::new);
  }

  Reply acquire(String policy, String key) {
    return send("POST", "/v1/acquire", call(policy, key));
  }

  static String call(String policy, String key) {
    return "{\"policy\":\"%s\",\"key\":\"%s\"}".formatted(policy, key);
  }

  static String call(String policy, String key, long cost) {
    return "{\"policy\":\"%s\",\"key\":\"%s\",\"cost\":%d}".formatted(policy, key, cost);
  }

  /** A body with those fields. */
  public static String json(Map<String, ?> fields) {
    try {
      return JSON.writeValueAsString(fields);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Puts a policy of one limit. */
  public Reply put(String policy, String limit) {
    return send("PUT", "/v1/policies/" + policy, "{\"limits\":[" + limit + "]}");
  }
}
