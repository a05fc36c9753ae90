package dev.weir.server;

import com.linecorp.armeria.common.util.Exceptions;
import dev.weir.RateLimiterException;
import dev.weir.server.policy.LimiterFactory;
import dev.weir.server.policy.MemoryLimiters;
import dev.weir.server.policy.RedisLimiters;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir serve}: starts the service and stays until it is told to stop. */
@Command(
    name = "serve",
    description = "Starts the service, with its limits in this process or in Redis.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class ServeCommand implements Callable<Integer> {

  private static final int DEFAULT_REDIS_PORT = 6379;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "8080",
      description = "The port to listen on; 0 takes a free one (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--host",
      paramLabel = "HOST",
      defaultValue = "127.0.0.1",
      description = "The address to listen on (default: ${DEFAULT-VALUE}).")
  private String host = "";

  @Option(
      names = "--redis",
      paramLabel = "URI",
      description = "Keep the limits in the Redis at redis://[user:password@]host[:port][/db].")
  private @Nullable String redis;

  @Option(
      names = "--redis-host",
      paramLabel = "HOST",
      description =
          "Keep the limits in the Redis on this host (default with --redis-port:" + " 127.0.0.1).")
  private @Nullable String redisHost;

  @Option(
      names = "--redis-port",
      paramLabel = "PORT",
      description = "Keep the limits in the Redis on this port (default with --redis-host: 6379).")
  private @Nullable Integer redisPort;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The policies, in a YAML file that is read again when it changes.")
  private @Nullable Path config;

  @Option(
      names = "--api-keys",
      paramLabel = "FILE",
      description = "Who may use the service: the keys that ./weir key makes.")
  private @Nullable Path apiKeys;

  @Override
  public Integer call() {
    checkPort("--port", port, 0);
    RedisURI uri = redisUri();
    PrintWriter err = spec.commandLine().getErr();
    if (uri == null) {
      return serve(new MemoryLimiters(), err);
    }
    LimiterFactory limiters;
    try {
      limiters = new RedisLimiters(uri);
    } catch (RedisException | RateLimiterException e) {
      err.println(
          "weir: cannot use the Redis at %s:%d (%s); start it, or give its address with --redis"
              .formatted(uri.getHost(), uri.getPort(), rootMessage(e)));
      return 1;
    }
    return serve(limiters, err);
  }

  private int serve(LimiterFactory limiters, PrintWriter err) {
    WeirServer server;
    try {
      server =
          WeirServer.start(
              new ServiceOptions(
                  new InetSocketAddress(host, port),
                  Optional.ofNullable(config),
                  Optional.ofNullable(apiKeys),
                  InstantSource.system()),
              limiters);
    } catch (BadFileException e) {
      err.println(e.getMessage());
      err.println("weir: the service was not started; mend the file, and try it with ./weir check");
      limiters.close();
      return 1;
    } catch (CompletionException e) {
      err.println(
          "weir: cannot listen on %s:%d (%s); stop what uses it, or choose another with --port"
              .formatted(host, port, Exceptions.peel(e).getMessage()));
      return 1;
    }
    Runtime.getRuntime().addShutdownHook(new Thread(server::close, "weir-shutdown"));
    String shownHost = host.equals("127.0.0.1") ? "localhost" : host;
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "Weir is listening on http://%s:%d (%s). Ctrl-C stops it.%n",
        shownHost, server.port(), limiters.describe());
    out.flush();
    if (server.isOpenToOthers()) {
      err.println(
          "weir: without keys whoever reaches this address may ask for decisions; policies and the"
              + " console are for this machine alone. Make keys with ./weir key, and name their"
              + " file with --api-keys");
    }
    server.join();
    return 0;
  }

  private @Nullable RedisURI redisUri() {
    if (redis != null) {
      if (redisHost != null || redisPort != null) {
        throw wrong("--redis cannot be combined with --redis-host or --redis-port; use either");
      }
      try {
        return RedisURI.create(redis);
      } catch (IllegalArgumentException e) {
        throw wrong(
            "--redis must be like redis://127.0.0.1:6379, and was '%s' (%s)"
                .formatted(redis, e.getMessage()));
      }
    }
    if (redisHost == null && redisPort == null) {
      return null;
    }
    int chosenPort = redisPort == null ? DEFAULT_REDIS_PORT : redisPort;
    checkPort("--redis-port", chosenPort, 1);
    return RedisURI.create(redisHost == null ? "127.0.0.1" : redisHost, chosenPort);
  }

  private void checkPort(String option, int value, int least) {
    if (value < least || value > 65_535) {
      throw wrong(option + " must be from " + least + " to 65535, and was " + value);
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private static String rootMessage(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage());
  }
}
