package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.RateLimitPolicy;
import dev.weir.Source;
import dev.weir.testkit.RedisServer;
import dev.weir.testkit.RedisVersion;
import dev.weir.testkit.Shape;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.masterreplica.MasterReplica;
import io.lettuce.core.masterreplica.StatefulRedisMasterReplicaConnection;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** B91: decisions and looks go to the master, whatever an application reads from replicas. */
class ReplicaTest {

  private static final RateLimitPolicy POLICY =
      RateLimitPolicy.of("api", Shape.TOKEN_BUCKET_INTERVAL.of(50, Duration.ofHours(1)));

  @Test
  void aConnectionThatPrefersReplicasDecidesOnTheMaster() {
    try (RedisServer master = RedisServer.start();
        RedisServer replica =
            RedisServer.start(
                RedisVersion.usual(), "--replicaof", master.host(), "" + master.port())) {
      await(replica, "replication", "master_link_status:up");
      RedisClient client = RedisClient.create();
      try (StatefulRedisMasterReplicaConnection<String, String> connection =
          MasterReplica.connect(client, StringCodec.UTF8, RedisURI.create(master.uri()))) {
        connection.setReadFrom(ReadFrom.REPLICA_PREFERRED);
        RedisRateLimiter limiter =
            LettuceRateLimiter.builder(connection, POLICY).timeout(Duration.ofSeconds(10)).build();
        for (int i = 1; i <= 50; i++) {
          assertThat(limiter.tryAcquire("u").remaining()).isEqualTo(50 - i);
          Decision look = limiter.peek("u");
          assertThat(look.source()).isEqualTo(Source.REDIS);
          assertThat(look.remaining()).as("a look right after the charge").isEqualTo(50 - i);
        }
        limiter.reset("u");
        assertThat(limiter.peek("u").remaining()).isEqualTo(50);
        connection.sync().get("another");
        String stats = String.valueOf(replica.command("INFO", "commandstats"));
        assertThat(stats).as("the application's own reads").contains("cmdstat_get:");
        assertThat(stats).doesNotContain("cmdstat_eval").doesNotContain("rejected_calls=1,");
      } finally {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
      }
    }
  }

  private static void await(RedisServer redis, String section, String text) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!String.valueOf(redis.command("INFO", section)).contains(text)) {
      assertThat(System.nanoTime()).as(text).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }
}
