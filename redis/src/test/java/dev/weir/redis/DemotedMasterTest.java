package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.FailureCause;
import dev.weir.FailureMode;
import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.Source;
import dev.weir.testkit.Await;
import dev.weir.testkit.RedisServer;
import dev.weir.testkit.RedisVersion;
import dev.weir.testkit.TcpProxy;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisPool;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.PooledConnectionProvider;

/** A master is demoted while its connections stay up, behind an address that moves on. */
class DemotedMasterTest {

  private static final long LIMIT = 60;
  private static final RateLimitPolicy POLICY =
      RateLimitPolicy.builder("api")
          .limit(FixedWindow.of(LIMIT, Duration.ofHours(1)))
          .failureMode(FailureMode.closed())
          .build();
  private static final Duration SECONDS = Duration.ofSeconds(10);

  private final RedisServer first =
      RedisServer.start(RedisVersion.usual(), "--repl-diskless-sync-delay", "0");
  private final RedisServer second =
      RedisServer.start(
          RedisVersion.usual(), "--replicaof", first.host(), Integer.toString(first.port()));
  private final TcpProxy address = TcpProxy.of(first);
  private final RedisClient client = RedisClient.create(address.uri());

  @BeforeEach
  void awaitReplica() {
    Duration unused =
        Await.until(
            "a replica in step",
            SECONDS,
            () ->
                String.valueOf(second.command("INFO", "replication"))
                    .contains("master_link_status:up"));
  }

  @AfterEach
  void stop() {
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    address.close();
    second.close();
    first.close();
  }

  /** Makes the replica a master as soon as it knows what has been charged. */
  private void promoteSecond() {
    Duration unused =
        Await.until(
            "a charge at the replica",
            SECONDS,
            () -> state(second).equals(state(first)) && !state(first).equals("null"));
    second.command("REPLICAOF", "NO", "ONE");
    address.retarget(second);
  }

  private static String state(RedisServer server) {
    return String.valueOf(server.command("GET", "weir:{api:u}"));
  }

  private void demoteFirst() {
    first.command("REPLICAOF", second.host(), Integer.toString(second.port()));
  }

  @Test
  void b22LettuceLeavesADemotedMaster() {
    try (RedisRateLimiter limiter = LettuceRateLimiter.create(client, POLICY)) {
      leavesADemotedMaster(limiter);
    }
  }

  @Test
  void b22AJedisPoolLeavesADemotedMaster() {
    try (JedisPool pool = new JedisPool(address.host(), address.port());
        RedisRateLimiter limiter = JedisRateLimiter.create(pool, POLICY)) {
      leavesADemotedMaster(limiter);
    }
  }

  @Test
  void b22AUnifiedJedisLeavesADemotedMaster() {
    try (UnifiedJedis jedis =
            new UnifiedJedis(
                new PooledConnectionProvider(new HostAndPort(address.host(), address.port())),
                1,
                Duration.ofSeconds(5));
        RedisRateLimiter limiter = JedisRateLimiter.create(jedis, POLICY)) {
      leavesADemotedMaster(limiter);
    }
  }

  private void leavesADemotedMaster(RedisRateLimiter limiter) {
    for (int i = 0; i < 20; i++) {
      FaultCall.warmUp(limiter, "u");
    }
    FaultCall.chargeByRedis(limiter, "u", 10);
    promoteSecond();
    demoteFirst();
    Decision decision = limiter.tryAcquire("u");
    assertThat(decision.source()).isEqualTo(Source.DEGRADED_CLOSED);
    assertThat(decision.failure()).contains(FailureCause.READONLY);
    long[] degraded = {1};
    Duration recovery =
        Await.until(
            "a decision of the new master",
            SECONDS,
            () -> {
              boolean decided = limiter.tryAcquire("u").source() == Source.REDIS;
              degraded[0] += decided ? 0 : 1;
              return decided;
            });
    System.out.printf(
        "sentinel: connections stayed up: normal after %d ms, degraded %d%n",
        recovery.toMillis(), degraded[0]);
    assertThat(FaultCall.remaining(limiter, "u")).isEqualTo(LIMIT - 11);
  }

  @Test
  void b67AFailoverCanAdmitAgainWhatWasNotReplicatedAndNoMore() {
    try (RedisRateLimiter limiter = LettuceRateLimiter.create(client, POLICY)) {
      FaultCall.warmUp(limiter, "u");
      FaultCall.chargeByRedis(limiter, "u", 10);
      promoteSecond();
      long unreplicated = 0;
      for (int i = 0; i < 40; i++) {
        Decision decision = limiter.tryAcquire("u");
        unreplicated += decision.source() == Source.REDIS && decision.allowed() ? 1 : 0;
      }
      assertThat(unreplicated).isPositive();
      demoteFirst();
      Duration unused = Await.until("the new master", SECONDS, () -> decidedBySecond(limiter));
      long admitted = 10 + unreplicated;
      long remaining = FaultCall.remaining(limiter, "u");
      assertThat(remaining).as("what the replica knew").isEqualTo(LIMIT - 10);
      for (int i = 0; i < LIMIT; i++) {
        Decision decision = limiter.tryAcquire("u");
        admitted += decision.source() == Source.REDIS && decision.allowed() ? 1 : 0;
      }
      assertThat(admitted).as("admitted in all").isEqualTo(LIMIT + unreplicated);
    }
  }

  private boolean decidedBySecond(RedisRateLimiter limiter) {
    // A charge of another key: looks a demoted master answers too.
    return limiter.tryAcquire("other").source() == Source.REDIS
        && Long.valueOf(1).equals(second.command("EXISTS", "weir:{api:other}"));
  }
}
