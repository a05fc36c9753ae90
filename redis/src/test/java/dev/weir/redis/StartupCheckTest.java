package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.FixedWindow;
import dev.weir.RateLimiterException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What an application is told about its Redis when it starts. */
class StartupCheckTest extends LiveRedis {

  private final RedisRateLimiter limiter = limiter(FixedWindow.of(10, Duration.ofHours(1)));

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

  @Test
  void b69AUserWithoutTimeIsAnErrorThatSaysWhatToAllow() {
    server.command("ACL", "SETUSER", "default", "-time");
    try {
      assertThatThrownBy(limiter::check)
          .isInstanceOf(RateLimiterException.class)
          .hasMessageContaining("(no-permission)")
          .hasMessageContaining("time");
    } finally {
      server.command("ACL", "SETUSER", "default", "+time");
    }
  }

  @Test
  void aReplicaIsAnError() {
    server.command("REPLICAOF", "127.0.0.1", "1");
    try {
      assertThatThrownBy(limiter::check)
          .isInstanceOf(RateLimiterException.class)
          .hasMessageContaining("(readonly)");
    } finally {
      server.command("REPLICAOF", "NO", "ONE");
    }
  }
}
