package dev.weir.server.demo;

import dev.weir.server.WeirServer;
import dev.weir.server.policy.MemoryLimiters;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

/** The real service in this process, with the in-process store. */
final class DemoService implements AutoCloseable {

  static final String DEFAULT_LIMIT =
      """
      {"algorithm":"token-bucket","capacity":10,"refillTokens":1,"refillPeriod":"1s",
       "refill":"interval"}""";

  /** As the default, but nothing comes back while a test runs. */
  static final String SLOW_LIMIT = DEFAULT_LIMIT.replace("1s", "1h");

  private final HttpClient client = HttpClient.newHttpClient();
  private WeirServer server;

  DemoService() {
    server = start(0);
  }

  int port() {
    return server.port();
  }

  /** Gives the policy another limit, as another client would. */
  void changePolicy(String limit) throws IOException, InterruptedException {
    send(
        request("policies/demo")
            .PUT(BodyPublishers.ofString("{\"limits\":[%s]}".formatted(limit)))
            .build());
  }

  /** The policies as the service tells them. */
  String policies() throws IOException, InterruptedException {
    return send(request("policies").build());
  }

  /** Stops the service, runs the action, and starts it again on the same port. */
  void whileDown(Runnable action) {
    int port = server.port();
    server.close();
    try {
      action.run();
    } finally {
      server = start(port);
    }
  }

  @Override
  public void close() {
    server.close();
  }

  private String send(HttpRequest request) throws IOException, InterruptedException {
    var response = client.send(request, BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new AssertionError(response.statusCode() + " " + response.body());
    }
    return response.body();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:%d/v1/%s".formatted(server.port(), path)))
        .header("content-type", "application/json");
  }

  private static WeirServer start(int port) {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    return WeirServer.start(address, new MemoryLimiters());
  }
}
