package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RedisClusterTest {

  static java.util.List<RedisVersion> versions() {
    return RedisVersion.tested();
  }

  @ParameterizedTest
  @MethodSource("versions")
  void formsMovesSlotsAndSurvivesADeadMaster(RedisVersion version) {
    try (RedisCluster cluster = RedisCluster.start(version)) {
      int slot = cluster.slotOf("k");
      RedisServer master = cluster.masterOf(slot);
      RedisServer replica = cluster.replicasOf(master).get(0);
      master.command("SET", "k", "1");
      master.command("WAIT", "1", "10000");

      master.kill();
      assertThat(cluster.awaitMaster(slot, replica)).isPositive();
      assertThat(replica.command("GET", "k")).isEqualTo("1");
      master.restart();
      cluster.awaitOk();
      assertThat(cluster.replicasOf(replica)).containsExactly(master);

      RedisServer target = cluster.masterOf((slot + RedisCluster.SLOTS / 2) % RedisCluster.SLOTS);
      assertThat(target).isNotEqualTo(replica);
      cluster.beginMigration(slot, target);
      cluster.migrateKeys(slot, target);
      assertThatThrownBy(() -> replica.command("GET", "k")).hasMessageStartingWith("ASK");
      cluster.endMigration(slot, target);
      assertThatThrownBy(() -> replica.command("GET", "k")).hasMessageStartingWith("MOVED");
      assertThat(target.command("GET", "k")).isEqualTo("1");

      cluster.promote(master);
      assertThat(cluster.replicasOf(master)).containsExactly(replica);
    }
  }
}
