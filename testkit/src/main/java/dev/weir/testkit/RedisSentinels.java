package dev.weir.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A real Redis master with two replicas, watched by three Sentinels, as child processes. A master
 * that does not answer for half a second is taken as dead. It ends with {@link #close} and with the
 * JVM. Not safe for use by several threads.
 */
public final class RedisSentinels implements AutoCloseable {

  /** The name that the Sentinels know the master by. */
  public static final String MASTER = "weir";

  private static final int REPLICAS = 2;
  private static final int SENTINELS = 3;
  private static final int QUORUM = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final List<RedisServer> servers = new ArrayList<>();
  private final List<RedisServer> sentinels = new ArrayList<>();

  private RedisSentinels(RedisVersion version) {
    try {
      launch(version);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Starts them and waits until they know each other. */
  public static RedisSentinels start() {
    return new RedisSentinels(RedisVersion.usual());
  }

  private void launch(RedisVersion version) {
    String[] quick = {"--repl-diskless-sync", "yes", "--repl-diskless-sync-delay", "0"};
    RedisServer master = RedisServer.start(version, quick);
    servers.add(master);
    for (int i = 0; i < REPLICAS; i++) {
      RedisServer replica = RedisServer.start(version, quick);
      servers.add(replica);
      replica.command("REPLICAOF", master.host(), Integer.toString(master.port()));
    }
    Await.until("replicas in step", PATIENCE, this::replicasAreInStep);
    for (int i = 0; i < SENTINELS; i++) {
      sentinels.add(RedisServer.startSentinel(version, configuration(master)));
    }
    Await.until("Sentinels that know all", PATIENCE, this::sentinelsKnowAll);
  }

  private static List<String> configuration(RedisServer master) {
    return List.of(
        "sentinel monitor %s %s %d %d".formatted(MASTER, master.host(), master.port(), QUORUM),
        "sentinel down-after-milliseconds " + MASTER + " 500",
        "sentinel failover-timeout " + MASTER + " 2000",
        "sentinel parallel-syncs " + MASTER + " 2");
  }

  private boolean replicasAreInStep() {
    return servers.stream().skip(1).allMatch(RedisSentinels::isInStep);
  }

  private static boolean isInStep(RedisServer server) {
    return String.valueOf(server.command("INFO", "replication")).contains("master_link_status:up");
  }

  private boolean sentinelsKnowAll() {
    String all = "status=ok,address=%s:%d,slaves=%d,sentinels=%d";
    String expected =
        all.formatted(servers.get(0).host(), servers.get(0).port(), REPLICAS, SENTINELS);
    return sentinels.stream()
        .allMatch(each -> String.valueOf(each.command("INFO", "sentinel")).contains(expected));
  }

  /** The Sentinels. */
  public List<RedisServer> sentinels() {
    return List.copyOf(sentinels);
  }

  /** The master and its replicas, dead ones too. */
  public List<RedisServer> servers() {
    return List.copyOf(servers);
  }

  /** The master as the first Sentinel knows it. */
  public RedisServer master() {
    List<?> address =
        (List<?>)
            Objects.requireNonNull(
                sentinels.get(0).command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER));
    int port = Integer.parseInt(String.valueOf(address.get(1)));
    return servers.stream().filter(server -> server.port() == port).findFirst().orElseThrow();
  }

  /**
   * Makes the Sentinels promote a replica though the master is well, and waits until the old master
   * is a replica; returns the new master.
   */
  public RedisServer failOver() {
    RedisServer old = master();
    Await.until("Sentinels that are ready to fail over", PATIENCE, this::beginsToFailOver);
    RedisServer promoted = awaitMasterOtherThan(old);
    Await.until("a demoted master", PATIENCE, () -> !isMaster(old));
    return promoted;
  }

  /** Asks for a failover, which Sentinels refuse while another goes on or no replica is known. */
  private boolean beginsToFailOver() {
    try {
      return "OK".equals(sentinels.get(0).command("SENTINEL", "FAILOVER", MASTER));
    } catch (RedisReplyException e) {
      if (e.getMessage().startsWith("INPROG") || e.getMessage().startsWith("NOGOODSLAVE")) {
        return false;
      }
      throw e;
    }
  }

  /** Waits until another server is known as the master and says so itself. */
  public RedisServer awaitMasterOtherThan(RedisServer old) {
    Await.until("a new master", PATIENCE, () -> master() != old && isMaster(master()));
    return master();
  }

  private static boolean isMaster(RedisServer server) {
    return String.valueOf(server.command("INFO", "replication")).contains("role:master");
  }

  @Override
  public void close() {
    sentinels.forEach(RedisServer::close);
    servers.forEach(RedisServer::close);
  }
}
