package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiterException;
import dev.weir.testkit.RedisServer;
import dev.weir.testkit.RedisVersion;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisCluster;
import redis.clients.jedis.JedisPool;

/**
 * What an application is told about a Cluster when it starts: two nodes, half of the slots each.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@SuppressWarnings("NullAway.Init")
class ClusterCheckTest {

  private static final RateLimitPolicy POLICY =
      RateLimitPolicy.of("api", FixedWindow.of(10, Duration.ofHours(1)));

  private static RedisServer first;
  private static RedisServer second;

  @BeforeAll
  static void start() {
    first = node();
    second = node();
    first.command("CLUSTER", "ADDSLOTSRANGE", "0", "8191");
    second.command("CLUSTER", "ADDSLOTSRANGE", "8192", "16383");
    first.command("CLUSTER", "MEET", second.host(), Integer.toString(second.port()));
    awaitState(first, "cluster_state:ok", "cluster_slots_ok:16384");
    awaitState(second, "cluster_state:ok", "cluster_slots_ok:16384");
  }

  private static RedisServer node() {
    return RedisServer.start(RedisVersion.usual(), "--cluster-enabled", "yes");
  }

  private static void awaitState(RedisServer node, String... texts) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!Stream.of(texts).allMatch(String.valueOf(node.command("CLUSTER", "INFO"))::contains)) {
      assertThat(System.nanoTime()).as("the Cluster is so").isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  @AfterAll
  static void stop() {
    first.close();
    second.close();
  }

  private static List<String> check(RedisRateLimiter.Builder builder) {
    try (RedisRateLimiter limiter = builder.timeout(Duration.ofSeconds(10)).build()) {
      return limiter.check();
    }
  }

  private static List<String> throughLettuce() {
    RedisClusterClient client = RedisClusterClient.create(first.uri());
    try {
      return check(LettuceRateLimiter.builder(client, POLICY));
    } finally {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
  }

  private static JedisCluster jedis() {
    return new JedisCluster(Set.of(new HostAndPort(first.host(), first.port())));
  }

  private static List<String> throughJedis() {
    try (JedisCluster jedis = jedis()) {
      return check(JedisRateLimiter.builder(jedis, POLICY));
    }
  }

  /** A plain Lettuce client of one node. */
  private static List<String> throughPlainLettuce(RedisServer node) {
    RedisClient client = RedisClient.create(node.uri());
    try {
      return check(LettuceRateLimiter.builder(client, POLICY));
    } finally {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
  }

  private static List<String> throughPlainJedis(RedisServer node) {
    try (JedisPool pool = new JedisPool(node.host(), node.port())) {
      return check(JedisRateLimiter.builder(pool, POLICY));
    }
  }

  @Test
  @Order(1)
  void aClusterThroughAClusterClientIsPassedOverInSilenceAndLoadedOnEveryNode() {
    String sha1 = Script.of(POLICY).sha1();
    assertThat(throughLettuce()).isEmpty();
    assertThat(first.command("SCRIPT", "EXISTS", sha1)).isEqualTo(List.of(1L));
    assertThat(second.command("SCRIPT", "EXISTS", sha1)).isEqualTo(List.of(1L));
    assertThat(throughJedis()).isEmpty();
    assertThat(first.command("DBSIZE")).isEqualTo(0L);
    assertThat(second.command("DBSIZE")).isEqualTo(0L);
  }

  @Test
  @Order(1)
  void aNodeThroughAnotherClientIsAnErrorThatNamesTheClientToUse() {
    for (RedisServer node : List.of(first, second)) {
      for (Function<RedisServer, List<String>> check :
          List.<Function<RedisServer, List<String>>>of(
              ClusterCheckTest::throughPlainLettuce, ClusterCheckTest::throughPlainJedis)) {
        assertThatThrownBy(() -> check.apply(node))
            .isInstanceOf(RateLimiterException.class)
            .hasMessageContaining("MOVED")
            .hasMessageContaining("RedisClusterClient of Lettuce or JedisCluster of Jedis");
      }
    }
  }

  @Test
  @Order(1)
  void theOnlyNodeThroughAnotherClientIsAWarning() {
    try (RedisServer only = node()) {
      only.command("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
      awaitState(only, "cluster_state:ok");
      assertThat(throughPlainLettuce(only))
          .singleElement()
          .asString()
          .contains("not a Cluster client", "RedisClusterClient of Lettuce");
      assertThat(throughPlainJedis(only)).singleElement().asString().contains("JedisCluster");
    }
  }

  @Test
  @Order(1)
  void whatOneNodeOnlyHasIsSaidWithItsName() {
    second.command("CONFIG", "SET", "maxmemory", "100mb");
    second.command("CONFIG", "SET", "maxmemory-policy", "volatile-lru");
    try {
      assertThat(throughLettuce())
          .singleElement()
          .asString()
          .contains("noeviction")
          .endsWith("Seen on " + second.command("CLUSTER", "MYID") + ".");
      assertThat(throughJedis())
          .singleElement()
          .asString()
          .contains("noeviction")
          .endsWith("Seen on slots-32, slots-33, slots-34 and 29 more.");
    } finally {
      second.command("CONFIG", "SET", "maxmemory", "0");
    }
  }

  @Test
  @Order(2)
  void slotsThatNobodyServesAreAnErrorOrAWarningThatSaysWhatToDo() {
    // Made before, since Jedis itself refuses to connect afterwards.
    JedisCluster connected = jedis();
    for (RedisServer node : List.of(first, second)) {
      node.command("CLUSTER", "DELSLOTSRANGE", "16383", "16383");
    }
    awaitState(first, "cluster_state:fail");
    awaitState(second, "cluster_state:fail");
    assertThatThrownBy(ClusterCheckTest::throughLettuce)
        .isInstanceOf(RateLimiterException.class)
        .hasMessageContaining("(cluster-down)")
        .hasMessageContaining("Look at CLUSTER INFO");
    assertThatThrownBy(() -> check(JedisRateLimiter.builder(connected, POLICY)))
        .isInstanceOf(RateLimiterException.class)
        .hasMessageContaining("(cluster-down)");

    for (RedisServer node : List.of(first, second)) {
      node.command("CONFIG", "SET", "cluster-require-full-coverage", "no");
      awaitState(node, "cluster_state:ok");
    }
    assertThat(throughLettuce())
        .singleElement()
        .asString()
        .contains("1 of the Cluster's 16384 slots", "CLUSTER NODES");
    assertThat(check(JedisRateLimiter.builder(connected, POLICY)))
        .singleElement()
        .asString()
        .contains("served by no node");
    connected.close();
  }

  @Test
  @Order(3)
  void aNodeThatIsGoneIsAnError() {
    second.kill();
    assertThatThrownBy(ClusterCheckTest::throughLettuce).isInstanceOf(RateLimiterException.class);
  }
}
