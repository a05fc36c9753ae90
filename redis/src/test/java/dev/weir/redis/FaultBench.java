package dev.weir.redis;

import dev.weir.FailureMode;
import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.testkit.Await;
import dev.weir.testkit.RedisConnection;
import dev.weir.testkit.RedisReplyException;
import dev.weir.testkit.RedisServer;
import dev.weir.testkit.RedisVersion;
import dev.weir.testkit.TcpProxy;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.ProtocolKeyword;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisCluster;
import redis.clients.jedis.JedisPool;

/** A Redis to make faults on, and the limiters that meet them: one for each failure mode. */
final class FaultBench implements AutoCloseable {

  /** The capacity of each limit. */
  static final long LIMIT = 10;

  /** The modes that limiters have, in their order. */
  static final List<FailureMode> MODES =
      List.of(FailureMode.open(), FailureMode.closed(), FailureMode.local(0.5));

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String EPOCH = "17585";

  /** What stands between the limiters and Redis, and what kind of Redis it is. */
  enum Setup {
    PLAIN,
    PROXY,
    CLUSTER,
    CLOCK
  }

  private final Setup setup;
  private final RedisServer redis;
  private final TcpProxy proxy;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final List<StatefulRedisConnection<String, String>> connections = new ArrayList<>();
  private final List<JedisPool> pools = new ArrayList<>();
  private RedisConnection admin;
  private int tests;

  FaultBench(Setup setup) {
    this.setup = setup;
    this.redis =
        setup == Setup.CLUSTER
            ? RedisServer.start(
                RedisVersion.usual(),
                "--cluster-enabled",
                "yes",
                "--cluster-config-file",
                "nodes.conf")
            : RedisServer.start();
    this.proxy = TcpProxy.of(redis);
    this.admin = new RedisConnection(redis.host(), redis.port());
    if (setup == Setup.CLUSTER) {
      redis.command("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
      Await.until(
          "a Cluster",
          PATIENCE,
          () -> String.valueOf(redis.command("CLUSTER", "INFO")).contains("cluster_state:ok"));
    }
    setClock(3_600);
  }

  RedisServer redis() {
    return redis;
  }

  TcpProxy proxy() {
    return proxy;
  }

  /** The key that the test which runs asks for. */
  String key() {
    return "u" + tests;
  }

  /** Limiters on connections of their own, one for each mode, for one test. */
  List<RedisRateLimiter> limiters(String client, Duration budget) {
    tests++;
    return MODES.stream().map(mode -> limiter(client, policy(mode), budget)).toList();
  }

  private static RateLimitPolicy policy(FailureMode mode) {
    return RateLimitPolicy.builder(mode.kind().name().toLowerCase(java.util.Locale.ROOT))
        .limit(FixedWindow.of(LIMIT, Duration.ofHours(1)))
        .failureMode(mode)
        .build();
  }

  private RedisRateLimiter limiter(String client, RateLimitPolicy policy, Duration budget) {
    RedisRateLimiter.Builder builder =
        (client.equals("lettuce") ? lettuce(policy) : jedis(policy))
            .timeout(budget)
            .probeInterval(Duration.ofMillis(50));
    if (setup == Setup.CLOCK) {
      builder.scripts((any, operation) -> Script.of(any, operation, RedisHarness.CLOCK));
    }
    return opened(builder.build());
  }

  private RedisRateLimiter.Builder lettuce(RateLimitPolicy policy) {
    if (setup == Setup.CLUSTER) {
      RedisClusterClient client = RedisClusterClient.create(uri());
      opened.push(() -> client.shutdown(Duration.ZERO, Duration.ofSeconds(2)));
      return LettuceRateLimiter.builder(client, policy);
    }
    RedisClient client = RedisClient.create(uri());
    opened.push(() -> client.shutdown(Duration.ZERO, Duration.ofSeconds(2)));
    StatefulRedisConnection<String, String> connection = opened(client.connect());
    connections.add(connection);
    return LettuceRateLimiter.builder(connection, policy);
  }

  private RedisRateLimiter.Builder jedis(RateLimitPolicy policy) {
    HostAndPort address = new HostAndPort(redis.host(), port());
    if (setup == Setup.CLUSTER) {
      return JedisRateLimiter.builder(
          opened(new JedisCluster(Set.of(address), DefaultJedisClientConfig.builder().build(), 1)),
          policy);
    }
    JedisPool pool = opened(new JedisPool(address.getHost(), address.getPort()));
    pools.add(pool);
    return JedisRateLimiter.builder(pool, policy);
  }

  private <T extends AutoCloseable> T opened(T resource) {
    opened.push(resource);
    return resource;
  }

  private int port() {
    return setup == Setup.PROXY ? proxy.port() : redis.port();
  }

  private String uri() {
    return setup == Setup.PROXY ? proxy.uri() : redis.uri();
  }

  /** Ends the limiters of one test. */
  void closeLimiters() {
    connections.clear();
    pools.clear();
    while (!opened.isEmpty()) {
      close(opened.pop());
    }
  }

  /** Closes what declares any exception and throws none. */
  static void close(AutoCloseable resource) {
    try {
      resource.close();
    } catch (Exception e) {
      throw new IllegalStateException("cannot close " + resource, e);
    }
  }

  /** Sends a command on a connection that stays open, or on a new one after a restart. */
  void command(String... command) {
    try {
      Object unused = admin.command(command);
    } catch (UncheckedIOException lost) {
      admin.close();
      admin = new RedisConnection(redis.host(), redis.port());
      Object unused = admin.command(command);
    }
  }

  /** Makes Redis ask the limiters' connections for a password that they were not given. */
  void forgetThePassword() {
    command("CONFIG", "SET", "requirepass", "secret");
    pools.forEach(JedisPool::clear);
    for (StatefulRedisConnection<String, String> connection : connections) {
      String unused = connection.sync().dispatch(Reset.RESET, new StatusOutput<>(StringCodec.UTF8));
    }
  }

  /** Makes a connection that of a stranger. */
  @SuppressWarnings("deprecation") // every enum has a name
  private enum Reset implements ProtocolKeyword {
    RESET;

    @Override
    public byte[] getBytes() {
      return "RESET".getBytes(StandardCharsets.US_ASCII);
    }
  }

  /** Waits until Redis answers everything with that error. */
  void awaitError(String code) {
    Duration unused =
        Await.until(
            code,
            PATIENCE,
            () -> {
              try {
                Object unusedReply = redis.command("GET", "any");
                return false;
              } catch (RedisReplyException e) {
                return e.getMessage().startsWith(code);
              } catch (UncheckedIOException notListening) {
                return false;
              }
            });
  }

  /** A command of CLUSTER on the slot of each limiter's key. */
  void eachSlot(String command) {
    for (FailureMode mode : MODES) {
      byte[] key = redisKey(mode).getBytes(StandardCharsets.US_ASCII);
      command("CLUSTER", command, Integer.toString(Slots.of(key)));
    }
  }

  /** Puts a list where each limiter has its state. */
  void makeKeysForeign() {
    for (FailureMode mode : MODES) {
      command("DEL", redisKey(mode));
      command("RPUSH", redisKey(mode), "of another program");
    }
  }

  private String redisKey(FailureMode mode) {
    return "weir:{" + policy(mode).name() + ":" + key() + "}";
  }

  /** Sets the clock that scripts read in {@link Setup#CLOCK}: seconds of some day. */
  void setClock(long seconds) {
    command("SET", "weir-test-time", EPOCH + "%05d000000".formatted(seconds));
  }

  @Override
  public void close() {
    closeLimiters();
    admin.close();
    proxy.close();
    redis.close();
  }
}
