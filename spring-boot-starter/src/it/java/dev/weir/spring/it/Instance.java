package dev.weir.spring.it;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A running application on a free port, and a client of it. */
final class Instance implements AutoCloseable {

  static {
    // So that tests may send Origin and Access-Control-Request-Method as browsers do.
    System.setProperty(
        "jdk.httpclient.allowRestrictedHeaders", "origin,access-control-request-method,host,connection");
  }

  /** The gateway on the class path is not to bring its own limiter. */
  static final String NO_GATEWAY_ON_REDIS =
      "spring.autoconfigure.exclude="
          + "org.springframework.cloud.gateway.config.GatewayRedisAutoConfiguration";

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final ConfigurableApplicationContext context;
  private final int port;

  private Instance(ConfigurableApplicationContext context) {
    this.context = context;
    this.port =
        context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
  }

  static Instance mvc(Class<?> application, String... properties) {
    return start(application, WebApplicationType.SERVLET, properties);
  }

  static Instance flux(Class<?> application, String... properties) {
    return start(application, WebApplicationType.REACTIVE, properties);
  }

  private static Instance start(
      Class<?> application, WebApplicationType type, String... properties) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "server.port=0",
                "server.address=127.0.0.1",
                "spring.main.banner-mode=off",
                "logging.level.root=warn",
                "management.endpoints.web.exposure.include=*",
                "management.endpoint.health.show-details=always",
                "spring.cloud.gateway.enabled=false",
                NO_GATEWAY_ON_REDIS,
                "spring.cloud.gateway.server.webflux.enabled=false"));
    all.addAll(List.of(properties));
    return new Instance(
        new SpringApplicationBuilder(application)
            .web(type)
            .registerShutdownHook(false)
            .run(arguments(all)));
  }

  /** Arguments for the program: of a property that is there twice the later one. */
  private static String[] arguments(List<String> properties) {
    Map<String, String> last = new LinkedHashMap<>();
    properties.forEach(it -> last.put(it.substring(0, it.indexOf('=')), "--" + it));
    return last.values().toArray(String[]::new);
  }

  <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  int port() {
    return port;
  }

  HttpResponse<String> get(String path, String... headers) {
    return send("GET", path, headers);
  }

  HttpResponse<String> send(String method, String path, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            // A server may end a connection that is kept just when it is used again.
            .header("Connection", "close");
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return CLIENT.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** How many of so many requests were answered with anything but 429. */
  int admitted(int requests, String method, String path, String... headers) {
    int admitted = 0;
    for (int i = 0; i < requests; i++) {
      admitted += send(method, path, headers).statusCode() == 429 ? 0 : 1;
    }
    return admitted;
  }

  @Override
  public void close() {
    context.close();
  }
}
