package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testkit.RedisServer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Either client is optional: a limiter through one works where the other is not even there. */
class OptionalClientsTest {

  private static final List<String> LETTUCE = List.of("lettuce-core-", "netty-", "reactor-core-");
  private static final List<String> JEDIS = List.of("jedis-", "commons-pool2-", "gson-");

  @Test
  void oneClientWorksWithoutTheOther() throws InterruptedException {
    try (RedisServer redis = RedisServer.start()) {
      String port = Integer.toString(redis.port());
      ChildJvm lettuce = ChildJvm.startWithout(JEDIS, DecideOnce.class, "lettuce", port);
      ChildJvm jedis = ChildJvm.startWithout(LETTUCE, DecideOnce.class, "jedis", port);
      ChildJvm none = ChildJvm.startWithout(LETTUCE, DecideOnce.class, "lettuce", port);
      assertThat(lettuce.output() + jedis.output()).contains("left 8").contains("left 7");
      assertThatThrownBy(none::output)
          .as("what is left out is not there")
          .hasMessageContaining("NoClassDefFoundError");
    }
  }
}
