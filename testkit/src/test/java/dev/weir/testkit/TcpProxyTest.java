package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NullAway.Init")
class TcpProxyTest {

  private static RedisServer server;

  @BeforeAll
  static void start() {
    server = RedisServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static RedisConnection connect(TcpProxy proxy) {
    return new RedisConnection(proxy.host(), proxy.port());
  }

  @Test
  void refusesWhoeverConnectsAndWelcomesThemAgainOnTheSamePort() {
    try (TcpProxy proxy = TcpProxy.of(server)) {
      try (RedisConnection open = connect(proxy)) {
        assertThat(open.command("PING")).isEqualTo("PONG");
        proxy.refuse();
        assertThatThrownBy(() -> open.command("PING")).isInstanceOf(UncheckedIOException.class);
      }
      assertThatThrownBy(() -> connect(proxy))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("refused");
      proxy.heal();
      try (RedisConnection again = connect(proxy)) {
        assertThat(again.command("PING")).isEqualTo("PONG");
      }
    }
  }

  @Test
  void repliesComeLater() {
    try (TcpProxy proxy = TcpProxy.of(server);
        RedisConnection connection = connect(proxy)) {
      proxy.delay(Duration.ofMillis(200));
      long start = System.nanoTime();
      assertThat(connection.command("PING")).isEqualTo("PONG");
      assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(200_000_000L);
    }
  }

  @Test
  void aStalledConnectionGoesOnWhenHealed() {
    try (TcpProxy proxy = TcpProxy.of(server);
        RedisConnection connection = connect(proxy)) {
      proxy.stall();
      CompletableFuture<Object> reply =
          CompletableFuture.supplyAsync(() -> String.valueOf(connection.command("PING")));
      assertThatThrownBy(() -> reply.get(100, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      proxy.heal();
      assertThat(reply).succeedsWithin(Duration.ofSeconds(10)).isEqualTo("PONG");
    }
  }

  @Test
  void aReplyIsCutInTheMiddleAndTheCommandWasCarriedOut() {
    try (TcpProxy proxy = TcpProxy.of(server)) {
      try (RedisConnection connection = connect(proxy)) {
        proxy.cutAfter(2);
        assertThatThrownBy(() -> connection.command("INCR", "cut"))
            .isInstanceOf(UncheckedIOException.class);
      }
      proxy.heal();
      try (RedisConnection again = connect(proxy)) {
        assertThat(again.command("GET", "cut")).isEqualTo("1");
      }
    }
  }

  @Test
  void newConnectionsGoToAnotherServerAndOpenOnesStay() {
    try (RedisServer other = RedisServer.start();
        TcpProxy proxy = TcpProxy.of(server);
        RedisConnection first = connect(proxy)) {
      first.command("SET", "where", "here");
      proxy.retarget(other);
      try (RedisConnection second = connect(proxy)) {
        assertThat(second.command("GET", "where")).isNull();
      }
      assertThat(first.command("GET", "where")).isEqualTo("here");
    }
  }
}
