package dev.weir.server;

import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.ServerCacheControl;
import com.linecorp.armeria.common.metric.NoopMeterRegistry;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.file.FileService;
import dev.weir.server.api.AccessControl;
import dev.weir.server.api.ApiRoutes;
import dev.weir.server.api.SameOrigin;
import dev.weir.server.policy.LimiterFactory;
import java.net.InetSocketAddress;
import java.time.Duration;

/** The service: started when made, stopped when closed. Safe for use by several threads. */
public final class WeirServer implements AutoCloseable {

  private static final Duration QUIET_PERIOD = Duration.ofMillis(200);
  private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
  private static final int MAX_HEADER_BYTES = 16 * 1024;
  private static final int MAX_CONNECTIONS = 10_000;

  // Pages are made of files of this service alone; the chart library sets styles by script.
  private static final HttpHeaders PAGE_HEADERS =
      HttpHeaders.of(
          "content-security-policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
              + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
          "x-content-type-options",
          "nosniff",
          "referrer-policy",
          "no-referrer",
          "cross-origin-opener-policy",
          "same-origin");

  private final Server server;
  private final Service service;

  private WeirServer(Server server, Service service) {
    this.server = server;
    this.service = service;
  }

  /**
   * Starts the service.
   *
   * @param address where to listen; port 0 takes a free one
   * @param limiters the store; closed with the service
   * @throws java.util.concurrent.CompletionException if the address cannot be used
   */
  public static WeirServer start(InetSocketAddress address, LimiterFactory limiters) {
    return start(ServiceOptions.at(address), limiters);
  }

  /**
   * Starts the service.
   *
   * @param limiters the store; closed with the service
   * @throws BadFileException if a file of the options cannot be used
   * @throws java.util.concurrent.CompletionException if the address cannot be used
   */
  static WeirServer start(ServiceOptions options, LimiterFactory limiters) {
    Service service = new Service(limiters, options);
    try {
      return start(options.address(), service);
    } catch (RuntimeException e) {
      service.close();
      throw e;
    }
  }

  private static WeirServer start(InetSocketAddress address, Service service) {
    ServerBuilder builder =
        Server.builder()
            .http(address)
            .maxNumConnections(MAX_CONNECTIONS)
            .http1MaxHeaderSize(MAX_HEADER_BYTES)
            .http2MaxHeaderListSize(MAX_HEADER_BYTES)
            .requestTimeout(REQUEST_TIMEOUT)
            .idleTimeout(IDLE_TIMEOUT)
            .disableServerHeader()
            // What goes wrong is logged where it is turned into an answer.
            .unloggedExceptionsReportInterval(Duration.ZERO)
            .meterRegistry(NoopMeterRegistry.get())
            .gracefulShutdownTimeout(QUIET_PERIOD, DRAIN_TIMEOUT);
    new ApiRoutes(
            service.registry(),
            service.manager(),
            service.decider(),
            service.live(),
            service::proxies,
            service.clock())
        .addTo(builder);
    service.adminRoutes().addTo(builder);
    HttpService nothing = ApiRoutes.nothingHere();
    builder.serviceUnder("/webjars", files("META-INF/resources/webjars").orElse(nothing));
    builder.service("/console", (ctx, request) -> HttpResponse.ofRedirect("/console/"));
    builder.serviceUnder("/", files("web").orElse(nothing));
    builder.decorator(it -> new AccessControl(it, service::keys));
    builder.decorator(SameOrigin::new);
    Server server = builder.build();
    server.start().join();
    return new WeirServer(server, service);
  }

  private static FileService files(String folder) {
    return FileService.builder(WeirServer.class.getClassLoader(), folder)
        .cacheControl(ServerCacheControl.REVALIDATED)
        .setHeaders(PAGE_HEADERS)
        .build();
  }

  /** The port it listens on. */
  public int port() {
    return server.activeLocalPort();
  }

  /** Whether other machines reach it, and need no key. */
  boolean isOpenToOthers() {
    return service.keys().isOpen()
        && server.activePorts().keySet().stream()
            .anyMatch(address -> !address.getAddress().isLoopbackAddress());
  }

  /** Waits until it is closed. */
  void join() {
    server.whenClosed().join();
  }

  /** Answers what has begun, takes nothing new, and closes the store. */
  @Override
  public void close() {
    server.stop().join();
    service.close();
  }
}
