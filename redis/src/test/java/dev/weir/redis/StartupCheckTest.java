package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiterException;
import dev.weir.testkit.RedisServer;
import dev.weir.testkit.RedisVersion;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.JedisPool;

/** What an application is told about its Redis when it starts. */
class StartupCheckTest extends LiveRedis {

  private static final Limit LIMIT = FixedWindow.of(10, Duration.ofHours(1));
  private static final Map<RedisVersion, RedisServer> SERVERS = new ConcurrentHashMap<>();

  private final RedisRateLimiter limiter = limiter(LIMIT);

  @Test
  void aRedisAsItShouldBeIsPassedOverInSilence() {
    assertThat(limiter.check()).isEmpty();
    assertThat(keys()).isEmpty();
  }

  @Test
  void b65EvictionIsAWarning() {
    server.command("CONFIG", "SET", "maxmemory", "100mb");
    server.command("CONFIG", "SET", "maxmemory-policy", "volatile-lru");
    try {
      assertThat(limiter.check()).singleElement().asString().contains("noeviction");
      server.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
      assertThat(limiter.check()).isEmpty();
    } finally {
      server.command("CONFIG", "SET", "maxmemory", "0");
    }
  }

  static List<Arguments> missing() {
    return RedisVersion.tested().stream()
        .flatMap(
            version ->
                Stream.of(
                        ("eval evalsha time get set hget hset hdel hlen exists del unlink pttl"
                                + " pexpire")
                            .split(" ", -1))
                    .map(command -> Arguments.of(version, command)))
        .toList();
  }

  /** Asks as a user of the given rules on a Redis of its own. */
  private static List<String> checkAs(RedisVersion version, String... rules) {
    RedisServer own = SERVERS.computeIfAbsent(version, v -> RedisServer.start(v));
    List<String> user = new ArrayList<>(List.of("ACL", "SETUSER", "weir", "reset", "on", ">pw"));
    user.addAll(List.of(rules));
    own.command(user.toArray(String[]::new));
    RedisClient client =
        RedisClient.create(
            RedisURI.builder()
                .withHost(own.host())
                .withPort(own.port())
                .withAuthentication("weir", "pw".toCharArray())
                .build());
    try (RedisRateLimiter limiter =
        LettuceRateLimiter.builder(client, RateLimitPolicy.of("api", LIMIT))
            .timeout(Duration.ofSeconds(10))
            .build()) {
      return limiter.check();
    } finally {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
      own.command("FLUSHALL");
    }
  }

  @AfterAll
  static void stopOwn() {
    SERVERS.values().forEach(RedisServer::close);
    SERVERS.clear();
  }

  @ParameterizedTest
  @MethodSource("missing")
  void b69AMissingPermissionIsAnErrorThatSaysWhatToAllow(RedisVersion version, String command) {
    assertThatThrownBy(() -> checkAs(version, "~*", "+@all", "-" + command))
        .isInstanceOf(RateLimiterException.class)
        .hasMessageContaining("(no-permission)")
        .hasMessageContaining("Allow the user evalsha, eval, time");
  }

  @ParameterizedTest
  @MethodSource("dev.weir.testkit.RedisVersion#tested")
  void whatTheDocumentationSaysToAllowIsEnough(RedisVersion version) {
    Stream<String> rules =
        Stream.of(
                "eval evalsha time get set hget hset hdel hlen exists del unlink pttl pexpire info"
                    .split(" ", -1))
            .map(command -> "+" + command);
    assertThat(checkAs(version, Stream.concat(Stream.of("~weir:*"), rules).toArray(String[]::new)))
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("dev.weir.testkit.RedisVersion#tested")
  void aUserOfOtherKeysIsAnError(RedisVersion version) {
    assertThatThrownBy(() -> checkAs(version, "~other:*", "+@all"))
        .isInstanceOf(RateLimiterException.class)
        .hasMessageContaining("(no-permission)")
        .hasMessageContaining("on keys with the limiter's prefix");
  }

  @ParameterizedTest
  @MethodSource("dev.weir.testkit.RedisVersion#tested")
  void aUserWithoutInfoIsAWarningSinceDecisionsDoNotNeedIt(RedisVersion version) {
    assertThat(checkAs(version, "~*", "+@all", "-@dangerous"))
        .singleElement()
        .asString()
        .contains("allow info");
  }

  @Test
  void aReplicaIsAnError() {
    server.command("REPLICAOF", "127.0.0.1", "1");
    try {
      assertThatThrownBy(limiter::check)
          .isInstanceOf(RateLimiterException.class)
          .hasMessageContaining("(readonly)")
          .hasMessageContaining("connect to the master");
    } finally {
      server.command("REPLICAOF", "NO", "ONE");
    }
  }

  @Test
  void aReplicaThatTakesWritesIsAWarning() {
    server.command("CONFIG", "SET", "replica-read-only", "no");
    server.command("REPLICAOF", "127.0.0.1", "1");
    try {
      assertThat(limiter.check()).singleElement().asString().contains("connect to the master");
    } finally {
      server.command("REPLICAOF", "NO", "ONE");
      server.command("CONFIG", "SET", "replica-read-only", "yes");
    }
  }

  @Test
  void aRedisThatIsGoneIsAnErrorThatSaysWhereToLook() {
    try (RedisServer gone = RedisServer.start();
        JedisPool pool = new JedisPool(gone.host(), gone.port());
        RedisRateLimiter own = JedisRateLimiter.create(pool, RateLimitPolicy.of("api", LIMIT))) {
      gone.kill();
      assertThatThrownBy(own::check)
          .isInstanceOf(RateLimiterException.class)
          .hasMessageContaining("(connection)")
          .hasMessageContaining("Look at Redis and the network");
    }
  }

  /** The numbers of check.lua for a version, as found on Redis 2.8.19 for that one. */
  private static List<String> warningsOfVersion(long version) {
    return StartupCheck.warnings(List.of(version, 1L, 0L, 0L, 0L, 0L, 0L), false);
  }

  @Test
  void anOldVersionIsAWarningAndOneThatCannotDecideAnError() {
    assertThat(warningsOfVersion(7_00_15)).isEmpty();
    assertThat(warningsOfVersion(6_02_00)).isEmpty();
    assertThat(warningsOfVersion(6_00_16)).singleElement().asString().contains("version 6.0.16");
    assertThat(warningsOfVersion(5_00_00)).singleElement().asString().contains("upgrade it");
    assertThatThrownBy(() -> warningsOfVersion(2_08_19))
        .isInstanceOf(RateLimiterException.class)
        .hasMessageContaining("version 2.8.19")
        .hasMessageContaining("upgrade it to 6.2");
  }
}
