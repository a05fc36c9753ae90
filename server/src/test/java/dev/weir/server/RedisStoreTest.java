package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.TestClient.Reply;
import dev.weir.testkit.RedisServer;
import org.junit.jupiter.api.Test;

/** Services that share a Redis share their limits, and outlive its silence. */
class RedisStoreTest {

  @Test
  void twoServicesTogetherAdmitTheLimitAndTheKeyExpires() {
    try (RedisServer redis = RedisServer.start();
        RunningServer one = RunningServer.on(redis);
        RunningServer two = RunningServer.on(redis)) {
      one.client().put("p", hourly());
      two.client().put("p", hourly());
      int allowed = 0;
      for (int i = 0; i < 20; i++) {
        Reply reply = (i % 2 == 0 ? one : two).client().acquire("p", "user:123");
        assertThat(reply.json().get("source").asText()).isEqualTo("redis");
        allowed += reply.status() == 200 ? 1 : 0;
      }
      assertThat(allowed).isEqualTo(10);
      assertThat((Long) redis.command("PTTL", "weir:{p:user:123}")).isBetween(1L, 3_600_001L);
    }
  }

  @Test
  void aSilentRedisIsAProblemInTimeAndIsUsedAgainWhenItAnswers() {
    try (RedisServer redis = RedisServer.start();
        RunningServer server = RunningServer.on(redis)) {
      server.client().put("p", hourly());
      assertThat(server.client().acquire("p", "u").status()).isEqualTo(200);
      redis.pause();
      long start = System.nanoTime();
      Reply silent = server.client().acquire("p", "u");
      assertThat(System.nanoTime() - start).isLessThan(2_000_000_000L);
      redis.resume();
      assertThat(silent.status()).isEqualTo(503);
      assertThat(silent.json().get("detail").asText()).contains("did not answer in time");
      assertThat(server.client().acquire("p", "another").status()).isEqualTo(200);
    }
  }

  private static String hourly() {
    return "{\"algorithm\":\"fixed-window\",\"limit\":10,\"window\":\"1h\"}";
  }
}
