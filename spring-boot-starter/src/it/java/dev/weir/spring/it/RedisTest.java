package dev.weir.spring.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.spring.RateLimiters;
import dev.weir.spring.it.Services.Searches;
import dev.weir.testkit.RedisCluster;
import dev.weir.testkit.RedisServer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/** Applications on a real Redis, by the clients that they have themselves. */
class RedisTest {

  private static String[] on(String... connection) {
    List<String> properties = new ArrayList<>(Arrays.asList(Services.POLICIES));
    // The first start of a client may take longer than the budget on a busy machine.
    properties.addAll(List.of("weir.store=redis", "weir.redis.timeout=2s"));
    properties.addAll(List.of("spring.application.name=shop"));
    properties.addAll(Arrays.asList(connection));
    return properties.toArray(String[]::new);
  }

  @Configuration(proxyBeanMethods = false)
  @Import(MvcApplication.class)
  static class WithJedis {

    @Bean
    JedisConnectionFactory redisConnectionFactory(Environment environment) {
      return new JedisConnectionFactory(
          new RedisStandaloneConfiguration(
              "127.0.0.1", environment.getRequiredProperty("redis.port", Integer.class)));
    }
  }

  @Test
  void instancesOfAnyKindAndClientShareTheLimitOfOneRedis() {
    try (RedisServer redis = RedisServer.start();
        Instance mvc =
            Instance.mvc(
                MvcApplication.class,
                on("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + redis.port()));
        Instance flux =
            Instance.flux(
                FluxApplication.class,
                on("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + redis.port()));
        Instance jedis = Instance.mvc(WithJedis.class, on("redis.port=" + redis.port()))) {
      assertThat(mvc.bean(RateLimiters.class).store()).isEqualTo("Redis through Lettuce");
      assertThat(jedis.bean(RateLimiters.class).store()).isEqualTo("Redis through Jedis");
      assertThat(mvc.admitted(4, "GET", "/api/orders/1")).isEqualTo(4);
      assertThat(flux.admitted(3, "GET", "/api/orders/1")).isEqualTo(3);
      assertThat(jedis.admitted(8, "GET", "/api/orders/1")).isEqualTo(3);
      assertThat(mvc.get("/api/orders/1").statusCode()).isEqualTo(429);
      assertThat(flux.get("/api/orders/1").statusCode()).isEqualTo(429);
      assertThat(redis.command("EXISTS", "weir:shop:{api:address:127.0.0.1}")).isEqualTo(1L);
      plansShareTheStateOfAKey(mvc);
      redisGoesAway(redis, mvc, flux);
    }
  }

  private static void plansShareTheStateOfAKey(Instance app) {
    Searches searches = app.bean(Searches.class);
    for (int i = 0; i < 5; i++) {
      assertThat(searches.find("gold-eve")).isEqualTo("found");
    }
    assertThat(app.bean(RateLimiters.class).get("method").peek("gold-eve").remaining())
        .isEqualTo(3);
  }

  private static void redisGoesAway(RedisServer redis, Instance mvc, Instance flux) {
    redis.kill();
    // The policy's failure mode is local, and this process has not charged anybody yet.
    assertThat(mvc.get("/api/orders/1").statusCode()).isEqualTo(200);
    assertThat(flux.get("/api/orders/1").statusCode()).isEqualTo(200);
    assertThat(mvc.get("/actuator/health").body())
        .contains("\"decidedBy\":\"degraded-local\"");
  }

  @Test
  void aClusterIsUsedThroughTheApplicationsClient() {
    try (RedisCluster cluster = RedisCluster.start();
        Instance app =
            Instance.mvc(
                MvcApplication.class,
                on(
                    "spring.data.redis.cluster.nodes=127.0.0.1:"
                        + cluster.nodes().get(0).port()))) {
      assertThat(app.admitted(12, "GET", "/api/orders/1")).isEqualTo(10);
    }
  }
}
