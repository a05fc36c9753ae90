package dev.weir.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A real Redis Cluster of three masters with a replica each, as child processes. A node that does
 * not answer for a second is taken as dead, and its replica is promoted; slots of which nobody is
 * left do not disturb the others ({@code cluster-require-full-coverage no}). It ends with {@link
 * #close} and with the JVM. Not safe for use by several threads.
 */
public final class RedisCluster implements AutoCloseable {

  /** How many slots a Cluster has. */
  public static final int SLOTS = 16_384;

  /** How many masters this one has, and how many replicas. */
  public static final int SHARDS = 3;

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String[] OPTIONS = {
    "--cluster-enabled", "yes",
    "--cluster-config-file", "nodes.conf",
    "--cluster-node-timeout", "1000",
    "--cluster-require-full-coverage", "no",
    "--repl-diskless-sync", "yes",
    "--repl-diskless-sync-delay", "0",
  };

  private final List<RedisServer> nodes = new ArrayList<>();

  private RedisCluster(RedisVersion version) {
    try {
      for (int i = 0; i < 2 * SHARDS; i++) {
        nodes.add(RedisServer.start(version, OPTIONS));
      }
      form();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Starts one of the {@linkplain RedisVersion#usual() usual} version. */
  public static RedisCluster start() {
    return start(RedisVersion.usual());
  }

  /** Starts a Cluster and waits until every node says that it is well. */
  public static RedisCluster start(RedisVersion version) {
    return new RedisCluster(version);
  }

  private void form() {
    for (int i = 0; i < nodes.size(); i++) {
      nodes.get(i).command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
    }
    for (int shard = 0; shard < SHARDS; shard++) {
      nodes.get(shard).command(addSlots(firstSlot(shard), firstSlot(shard + 1)));
    }
    for (RedisServer other : nodes) {
      for (RedisServer one : nodes) {
        one.command("CLUSTER", "MEET", other.host(), Integer.toString(other.port()));
      }
    }
    Await.until("a meeting of all nodes", PATIENCE, () -> nodes.stream().allMatch(this::knowsAll));
    for (int shard = 0; shard < SHARDS; shard++) {
      nodes.get(SHARDS + shard).command("CLUSTER", "REPLICATE", id(nodes.get(shard)));
    }
    awaitOk();
  }

  private static String[] addSlots(int first, int end) {
    return Stream.concat(
            Stream.of("CLUSTER", "ADDSLOTS"),
            IntStream.range(first, end).mapToObj(Integer::toString))
        .toArray(String[]::new);
  }

  private boolean knowsAll(RedisServer node) {
    List<ClusterNode> known = ClusterNode.parse(node);
    return known.size() == nodes.size() && known.stream().allMatch(ClusterNode::isConnected);
  }

  /** The first slot of a shard, numbered from 0, before any are moved. */
  public static int firstSlot(int shard) {
    return shard * SLOTS / SHARDS;
  }

  /** All nodes, dead ones too. */
  public List<RedisServer> nodes() {
    return List.copyOf(nodes);
  }

  /** {@code redis://host:port} of all nodes, dead ones too. */
  public List<String> uris() {
    return nodes.stream().map(RedisServer::uri).toList();
  }

  /** The name that the nodes know a node by. */
  public static String id(RedisServer node) {
    return String.valueOf(node.command("CLUSTER", "MYID"));
  }

  /** The slot of a Redis key, as a node computes it. */
  public int slotOf(String redisKey) {
    return Math.toIntExact(
        (Long) Objects.requireNonNull(living().command("CLUSTER", "KEYSLOT", redisKey)));
  }

  /**
   * The master of a slot as the living nodes know it.
   *
   * @throws IllegalStateException if they do not know one, or not the same
   */
  public RedisServer masterOf(int slot) {
    List<RedisServer> masters = mastersOf(slot);
    if (masters.size() != 1) {
      throw new IllegalStateException("slot " + slot + " has " + masters.size() + " masters");
    }
    return masters.get(0);
  }

  /** Whether all living nodes know that master of the slot. */
  public boolean isMasterOf(int slot, RedisServer node) {
    return mastersOf(slot).equals(List.of(node));
  }

  private List<RedisServer> mastersOf(int slot) {
    return allLiving()
        .flatMap(
            node -> ClusterNode.parse(node).stream().filter(known -> known.hasSlot(slot)).limit(1))
        .map(ClusterNode::port)
        .distinct()
        .map(this::nodeAt)
        .toList();
  }

  /** The living replicas of a node, which may be dead itself. */
  public List<RedisServer> replicasOf(RedisServer master) {
    List<ClusterNode> known = ClusterNode.parse(living());
    String id =
        known.stream()
            .filter(node -> node.port() == master.port())
            .map(ClusterNode::id)
            .collect(Collectors.joining());
    return known.stream()
        .filter(node -> node.masterId().equals(id))
        .map(node -> nodeAt(node.port()))
        .filter(RedisServer::isRunning)
        .toList();
  }

  /** Makes a replica the master of its shard, and waits until all is well again. */
  public void promote(RedisServer replica) {
    int slot = firstSlotOfMaster(replica);
    replica.command("CLUSTER", "FAILOVER", "TAKEOVER");
    awaitMaster(slot, replica);
    awaitOk();
  }

  private static int firstSlotOfMaster(RedisServer replica) {
    List<ClusterNode> known = ClusterNode.parse(replica);
    String masterId =
        known.stream().filter(ClusterNode::isMyself).findFirst().orElseThrow().masterId();
    return known.stream()
        .filter(node -> node.id().equals(masterId))
        .findFirst()
        .orElseThrow()
        .firstSlot();
  }

  /** Waits until all living nodes know that master of the slot. */
  public Duration awaitMaster(int slot, RedisServer master) {
    return Await.until("a new master", PATIENCE, () -> isMasterOf(slot, master));
  }

  /**
   * Waits until every living node says that the Cluster is well and knows the same of all living
   * nodes, and every replica is in step.
   */
  public void awaitOk() {
    Await.until(
        "a Cluster that is well",
        PATIENCE,
        () ->
            allLiving().allMatch(RedisCluster::isWell)
                && allLiving().map(this::view).distinct().count() == 1);
  }

  /** What a node knows of the living ones, in words that are the same for all who agree. */
  private String view(RedisServer node) {
    List<Integer> living = allLiving().map(RedisServer::port).toList();
    return ClusterNode.parse(node).stream()
        .filter(known -> living.contains(known.port()))
        .map(known -> known.port() + " " + known.role())
        .sorted()
        .collect(Collectors.joining(","));
  }

  private static boolean isWell(RedisServer node) {
    String replication = String.valueOf(node.command("INFO", "replication"));
    return String.valueOf(node.command("CLUSTER", "INFO")).contains("cluster_state:ok")
        && (replication.contains("role:master") || replication.contains("master_link_status:up"));
  }

  /** Begins to move a slot: keys that are not there any more are asked for at the target. */
  public void beginMigration(int slot, RedisServer target) {
    RedisServer source = masterOf(slot);
    String number = Integer.toString(slot);
    target.command("CLUSTER", "SETSLOT", number, "IMPORTING", id(source));
    source.command("CLUSTER", "SETSLOT", number, "MIGRATING", id(target));
  }

  /** Moves the keys of a slot that is being moved. */
  public void migrateKeys(int slot, RedisServer target) {
    RedisServer source = masterOf(slot);
    String number = Integer.toString(slot);
    while (true) {
      List<?> keys =
          (List<?>)
              Objects.requireNonNull(source.command("CLUSTER", "GETKEYSINSLOT", number, "100"));
      if (keys.isEmpty()) {
        return;
      }
      source.command(
          Stream.concat(
                  Stream.of(
                      "MIGRATE",
                      target.host(),
                      Integer.toString(target.port()),
                      "",
                      "0",
                      "5000",
                      "KEYS"),
                  keys.stream().map(String::valueOf))
              .toArray(String[]::new));
    }
  }

  /** Ends moving a slot: the target is its master now, and every living node knows. */
  public void endMigration(int slot, RedisServer target) {
    RedisServer source = masterOf(slot);
    String id = id(target);
    for (RedisServer node : List.of(target, source)) {
      node.command("CLUSTER", "SETSLOT", Integer.toString(slot), "NODE", id);
    }
    awaitMaster(slot, target);
  }

  private Stream<RedisServer> allLiving() {
    return nodes.stream().filter(RedisServer::isRunning);
  }

  private RedisServer living() {
    return allLiving().findFirst().orElseThrow();
  }

  private RedisServer nodeAt(int port) {
    return nodes.stream().filter(node -> node.port() == port).findFirst().orElseThrow();
  }

  @Override
  public void close() {
    nodes.forEach(RedisServer::close);
  }
}
