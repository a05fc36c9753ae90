package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RedisSentinelsTest {

  @Test
  void promoteAReplicaWhenAskedAndWhenTheMasterDies() {
    try (RedisSentinels sentinels = RedisSentinels.start()) {
      RedisServer first = sentinels.master();
      assertThat(first).isEqualTo(sentinels.servers().get(0));
      RedisServer second = sentinels.failOver();
      assertThat(second).isNotEqualTo(first);
      second.kill();
      assertThat(sentinels.awaitMasterOtherThan(second)).isNotEqualTo(second);
    }
  }
}
