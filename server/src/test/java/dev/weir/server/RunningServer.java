package dev.weir.server;

import dev.weir.server.policy.LimiterFactory;
import dev.weir.server.policy.MemoryLimiters;
import dev.weir.server.policy.RedisLimiters;
import dev.weir.testkit.ManualClock;
import dev.weir.testkit.RedisServer;
import io.lettuce.core.RedisURI;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The real service on a free port. */
public final class RunningServer implements AutoCloseable {

  private final WeirServer server;
  private final TestClient client;

  private RunningServer(LimiterFactory limiters, int port) {
    this(limiters, port, null, null, InstantSource.system());
  }

  private RunningServer(
      LimiterFactory limiters,
      int port,
      @Nullable Path config,
      @Nullable Path keys,
      InstantSource clock) {
    this.server =
        WeirServer.start(
            new ServiceOptions(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                Optional.ofNullable(config),
                Optional.ofNullable(keys),
                clock),
            limiters);
    this.client = new TestClient(server.port());
  }

  /** In memory on the machine's clock. */
  public static RunningServer inMemory() {
    return new RunningServer(new MemoryLimiters(), 0);
  }

  /** In memory on the machine's clock, on a given port. */
  public static RunningServer onPort(int port) {
    return new RunningServer(new MemoryLimiters(), port);
  }

  static RunningServer inMemory(ManualClock clock) {
    return new RunningServer(new MemoryLimiters(clock), 0);
  }

  static RunningServer on(RedisServer redis) {
    return new RunningServer(new RedisLimiters(RedisURI.create(redis.host(), redis.port())), 0);
  }

  /** In memory, with a file of policies and perhaps one of keys. */
  public static RunningServer with(@Nullable Path config, @Nullable Path keys) {
    return new RunningServer(new MemoryLimiters(), 0, config, keys, InstantSource.system());
  }

  /** In memory, with limits and figures on a clock of the test's. */
  public static RunningServer wholly(ManualClock clock) {
    return new RunningServer(
        new MemoryLimiters(clock),
        0,
        null,
        null,
        () -> Instant.ofEpochMilli(clock.epochMicros() / 1_000));
  }

  /** A client of it. */
  public TestClient client() {
    return client;
  }

  /** The port it listens on. */
  public int port() {
    return server.port();
  }

  @Override
  public void close() {
    server.close();
  }
}
