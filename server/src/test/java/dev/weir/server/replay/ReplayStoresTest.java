package dev.weir.server.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimitPolicy;
import dev.weir.TokenBucket;
import dev.weir.adaptive.AdaptivePolicy;
import dev.weir.testkit.RedisServer;
import dev.weir.testkit.RedisVersion;
import io.lettuce.core.RedisClient;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A whole real log goes the same way in memory and on Redis, request by request. */
class ReplayStoresTest {

  private static final RateLimitPolicy LIMITS =
      RateLimitPolicy.of("site", TokenBucket.smooth(100, 100, Duration.ofMinutes(1)));

  private static final PolicyFile POLICY =
      new PolicyFile(
          "site", LIMITS, AdaptivePolicy.builder().mode(AdaptivePolicy.Mode.ENFORCE).build());

  private static Path resource(String name) throws URISyntaxException {
    return Path.of(Objects.requireNonNull(ReplayStoresTest.class.getResource(name)).toURI());
  }

  @ParameterizedTest
  @CsvSource({"three-sites-2026-02,REDIS_6_2", "shop-2025-12,REDIS_7_0"})
  void tiersAndReasonsAreTheSame(String log, RedisVersion version)
      throws IOException, URISyntaxException {
    Labels labels = Labels.read(List.of(resource(log + ".labels.csv.gz")));
    try (RedisServer server = RedisServer.start(version);
        Replayer memory = new Replayer(POLICY, labels, ReplayStore.memory(POLICY))) {
      RedisClient client = RedisClient.create(server.uri());
      int flagged;
      try (Replayer redis = new Replayer(POLICY, labels, ReplayStore.redis(POLICY, client))) {
        new LogFiles(List.of(resource(log + ".log.gz")))
            .read(
                line -> {
                  Replayer.Step inMemory = memory.replay(line);
                  assertThat(redis.replay(line)).as(line.toString()).isEqualTo(inMemory);
                },
                files -> {});
        flagged = 0;
        for (int i = 0; i < memory.result().subjects().size(); i++) {
          SubjectRecord expected = memory.result().subjects().get(i);
          SubjectRecord found = redis.result().subjects().get(i);
          assertThat(found.changes).as(expected.name).isEqualTo(expected.changes);
          flagged += expected.isFlagged() ? 1 : 0;
        }
      }
      assertThat(flagged).isPositive();
      assertThat(server.command("DBSIZE")).as("keys left behind").isEqualTo(0L);
      client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
  }
}
