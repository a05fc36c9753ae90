package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RedisServerTest {

  static java.util.List<RedisVersion> versions() {
    return RedisVersion.tested();
  }

  @ParameterizedTest
  @MethodSource("versions")
  void startsAnswersAndRestartsEmptyOnTheSamePort(RedisVersion version) {
    try (RedisServer server = RedisServer.start(version)) {
      int port = server.port();
      assertThat(server.command("SET", "k", "\u00ff")).isEqualTo("OK");
      assertThat(server.command("GET", "k")).isEqualTo("\u00ff");
      server.kill();
      server.restart();
      assertThat(server.port()).isEqualTo(port);
      assertThat(server.command("GET", "k")).isNull();
      assertThatThrownBy(() -> server.command("NOSUCH"))
          .isInstanceOf(RedisReplyException.class)
          .hasMessageStartingWith("ERR unknown command");
    }
  }

  @ParameterizedTest
  @MethodSource("versions")
  void startsInAFolderOfItsOwnWhereNobodyLeftADump(RedisVersion version) {
    try (RedisServer one = RedisServer.start(version);
        RedisServer two = RedisServer.start(version)) {
      assertThat(one.command("CONFIG", "GET", "dir"))
          .isNotEqualTo(two.command("CONFIG", "GET", "dir"));
    }
  }

  @ParameterizedTest
  @MethodSource("versions")
  void aPausedServerGoesOnWhenResumed(RedisVersion version) {
    try (RedisServer server = RedisServer.start(version)) {
      server.pause();
      server.resume();
      assertThat(server.command("PING")).isEqualTo("PONG");
    }
  }
}
