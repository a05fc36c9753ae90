package dev.weir.servlet;

import dev.weir.testkit.RedisServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** A container and a Redis for a class of tests, and clients for them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ContainerHarness {

  private static final AtomicInteger CLIENTS = new AtomicInteger();

  private final Container container;
  private final HttpClient http = HttpClient.newHttpClient();
  private RedisServer redis;
  private RedisServer mortalRedis;
  private Container.Running running;

  ContainerHarness(Container container) {
    this.container = container;
  }

  @BeforeAll
  void start() {
    redis = RedisServer.start();
    System.setProperty(TestApp.REDIS, redis.uri());
    mortalRedis = RedisServer.start();
    System.setProperty(TestApp.MORTAL_REDIS, mortalRedis.uri());
    running = container.start();
  }

  @AfterAll
  void stop() {
    running.close();
    redis.close();
    mortalRedis.close();
  }

  /** A client that nothing has been charged to. */
  static String newClient() {
    int number = CLIENTS.incrementAndGet();
    return "198.18." + number / 250 + '.' + (1 + number % 250);
  }

  HttpResponse<String> send(String method, String path, String client, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + running.port() + path))
            .timeout(Duration.ofSeconds(20))
            .method(method, BodyPublishers.noBody())
            .header("X-Forwarded-For", client);
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    try {
      return http.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new IllegalStateException(method + " " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  HttpResponse<String> get(String path, String client, String... headers) {
    return send("GET", path, client, headers);
  }

  CompletableFuture<HttpResponse<String>> sendAsync(HttpRequest request) {
    return http.sendAsync(request, BodyHandlers.ofString());
  }

  RedisServer mortalRedis() {
    return mortalRedis;
  }

  int port() {
    return running.port();
  }
}
