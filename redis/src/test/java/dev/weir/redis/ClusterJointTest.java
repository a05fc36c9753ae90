package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FixedWindow;
import dev.weir.JointDecision;
import dev.weir.JointLimiter;
import dev.weir.JointPart;
import dev.weir.RateLimitPolicy;
import dev.weir.testkit.RedisCluster;
import dev.weir.testkit.RedisServer;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** B07 on a Cluster: keys of one tag in one step, others place after place with refunds. */
class ClusterJointTest {

  private static final Duration HOUR = Duration.ofHours(1);

  private static RedisCluster cluster;
  private static RedisClusterClient client;
  private static StatefulRedisClusterConnection<String, String> connection;

  @BeforeAll
  static void start() {
    cluster = RedisCluster.start();
    client = ClusterSetup.lettuce(cluster);
    connection = client.connect();
  }

  @AfterAll
  static void stop() {
    connection.close();
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    cluster.close();
  }

  private static RedisRateLimiter.Builder limiter(String name, long permits) {
    return LettuceRateLimiter.builder(
            connection, RateLimitPolicy.of(name, FixedWindow.of(permits, HOUR)))
        .timeout(Duration.ofSeconds(10));
  }

  private static String tenant(String key) {
    return key.contains("/") ? key.substring(0, key.indexOf('/')) : key;
  }

  private static long scripts() {
    long calls = 0;
    for (RedisServer master : ClusterSetup.masters(cluster)) {
      String stats = String.valueOf(master.command("INFO", "commandstats"));
      int at = stats.indexOf("cmdstat_evalsha:calls=");
      calls +=
          at < 0
              ? 0
              : Long.parseLong(stats.substring(stats.indexOf('=', at) + 1, stats.indexOf(',', at)));
    }
    return calls;
  }

  @Test
  void keysOfOneTagAreDecidedInOneStep() {
    RedisRateLimiter user = limiter("tagged-user", 2).slotTag(ClusterJointTest::tenant).build();
    RedisRateLimiter tenant =
        limiter("tagged-tenant", 20).slotTag(ClusterJointTest::tenant).build();
    for (int i = 0; i < 30; i++) {
      String name = "tenant" + i;
      List<JointPart> parts =
          List.of(JointPart.of(tenant, name), JointPart.of(user, name + "/alice"));
      long before = 0;
      for (int call = 0; call < 3; call++) {
        before = call == 2 ? scripts() : before;
        JointDecision decision = JointLimiter.tryAcquireAsync(parts).join();
        assertThat(decision.allowed()).as(decision.toString()).isEqualTo(call < 2);
      }
      assertThat(scripts() - before).as("one script for both keys").isEqualTo(1);
      assertThat(tenant.peek(name).remaining()).isEqualTo(18);
    }
  }

  /** The global limit is elsewhere: refused calls give it back, and no limit admits too much. */
  @Test
  void keysOfSeveralSlotsAreGivenBack() {
    RedisRateLimiter user = limiter("user", 3).build();
    RedisRateLimiter global = limiter("global", 1_000).build();
    List<CompletableFuture<JointDecision>> calls = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      calls.add(
          JointLimiter.tryAcquireAsync(
              List.of(JointPart.of(global, "all"), JointPart.of(user, "u" + i % 10))));
    }
    assertThat(calls.stream().filter(call -> call.join().allowed()).count()).isEqualTo(30);
    assertThat(global.peek("all").remaining()).isEqualTo(970);
  }
}
