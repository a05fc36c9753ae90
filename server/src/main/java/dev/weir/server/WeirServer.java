package dev.weir.server;

import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.ServerCacheControl;
import com.linecorp.armeria.common.metric.NoopMeterRegistry;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.file.FileService;
import dev.weir.server.api.ApiRoutes;
import dev.weir.server.api.SameOrigin;
import dev.weir.server.policy.LimiterFactory;
import dev.weir.server.policy.PolicyRegistry;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;

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
  private final LimiterFactory limiters;

  private WeirServer(Server server, LimiterFactory limiters) {
    this.server = server;
    this.limiters = limiters;
  }

  /**
   * Starts the service.
   *
   * @param address where to listen; port 0 takes a free one
   * @param limiters the store; closed with the service
   * @throws java.util.concurrent.CompletionException if the address cannot be used
   */
  public static WeirServer start(InetSocketAddress address, LimiterFactory limiters) {
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
    new ApiRoutes(new PolicyRegistry(limiters), InstantSource.system()).addTo(builder);
    HttpService nothing = ApiRoutes.nothingHere();
    builder.serviceUnder("/webjars", files("META-INF/resources/webjars").orElse(nothing));
    builder.serviceUnder("/", files("web").orElse(nothing));
    builder.decorator(SameOrigin::new);
    Server server = builder.build();
    server.start().join();
    return new WeirServer(server, limiters);
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

  /** Waits until it is closed. */
  void join() {
    server.whenClosed().join();
  }

  /** Answers what has begun, takes nothing new, and closes the store. */
  @Override
  public void close() {
    server.stop().join();
    limiters.close();
  }
}
