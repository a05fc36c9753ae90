package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FailureCause;
import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiterException;
import dev.weir.Source;
import dev.weir.micrometer.MicrometerListener;
import dev.weir.testkit.RedisServer;
import io.lettuce.core.RedisClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an operator sees of a real outage in the metrics. */
class OutageMetricsTest {

  private static final int CALLS = 40;
  private static final RateLimitPolicy POLICY =
      RateLimitPolicy.of("api", FixedWindow.of(10, Duration.ofHours(1)));

  private final MeterRegistry registry = new SimpleMeterRegistry();

  private double count(String name, String... tags) {
    return registry.find(name).tags(tags).counters().stream().mapToDouble(c -> c.count()).sum();
  }

  private double breaker() {
    return registry.get("weir.breaker.open").tag("shard", "redis").gauge().value();
  }

  private static void awaitRedis(RedisRateLimiter limiter) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (limiter.peek("warm").source() != Source.REDIS) {
      assertThat(System.nanoTime()).as("Redis decides").isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  private void onRedis(java.util.function.BiConsumer<RedisServer, RedisRateLimiter> test) {
    try (RedisServer redis = RedisServer.start()) {
      RedisClient client = RedisClient.create(redis.uri());
      try (RedisRateLimiter limiter =
          LettuceRateLimiter.builder(client, POLICY)
              .probeInterval(Duration.ofMillis(20))
              .listener(new MicrometerListener(registry))
              .build()) {
        awaitRedis(limiter);
        test.accept(redis, limiter);
      } finally {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
      }
    }
  }

  private enum Outage {
    FROZEN(FailureCause.TIMEOUT),
    KILLED(FailureCause.CONNECTION, FailureCause.TIMEOUT),
    DEMOTED(FailureCause.READONLY),
    OUT_OF_MEMORY(FailureCause.OUT_OF_MEMORY);

    private final FailureCause cause;
    private final FailureCause orElse;

    Outage(FailureCause cause) {
      this(cause, cause);
    }

    Outage(FailureCause cause, FailureCause orElse) {
      this.cause = cause;
      this.orElse = orElse;
    }

    void inject(RedisServer redis) {
      switch (this) {
        case FROZEN -> redis.pause();
        case KILLED -> redis.kill();
        case DEMOTED -> redis.command("REPLICAOF", "127.0.0.1", "1");
        case OUT_OF_MEMORY -> redis.command("CONFIG", "SET", "maxmemory", "1");
      }
    }

    void heal(RedisServer redis) {
      switch (this) {
        case FROZEN -> redis.resume();
        case KILLED -> redis.restart();
        case DEMOTED -> redis.command("REPLICAOF", "NO", "ONE");
        case OUT_OF_MEMORY -> redis.command("CONFIG", "SET", "maxmemory", "0");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Outage.class)
  void anOutageIsSeenByItsCauseAndSoIsItsEnd(Outage fault) {
    onRedis(
        (redis, limiter) -> {
          double before = degraded(fault);
          double failures = count("weir.failures");
          fault.inject(redis);
          for (int i = 0; i < CALLS; i++) {
            assertThat(limiter.tryAcquire("u").source()).isEqualTo(Source.DEGRADED_LOCAL);
          }
          assertThat(breaker()).isEqualTo(1);
          assertThat(degraded(fault) - before).isEqualTo(CALLS);
          assertThat(count("weir.failures") - failures).as("calls that asked").isEqualTo(1);
          assertThat(count("weir.decisions", "source", "degraded-local", "outcome", "refused"))
              .isEqualTo(CALLS - 10);
          fault.heal(redis);
          awaitRedis(limiter);
          assertThat(breaker()).isZero();
          assertThat(count("weir.mistakes")).isZero();
        });
  }

  private double degraded(Outage fault) {
    return Stream.of(fault.cause, fault.orElse)
        .distinct()
        .map(FailureCause::word)
        .mapToDouble(cause -> count("weir.degraded", "policy", "api", "cause", cause))
        .sum();
  }

  @Test
  void mistakesDamageAndLostScriptsAreCountedToo() {
    onRedis(
        (redis, limiter) -> {
          double loaded = count("weir.scripts.loaded", "policy", "api");
          redis.command("SCRIPT", "FLUSH");
          redis.command("SET", "weir:{api:u}", "not ours");
          limiter.tryAcquire("u");
          assertThat(count("weir.scripts.loaded", "policy", "api")).isEqualTo(loaded + 1);
          assertThat(count("weir.states.repaired", "policy", "api")).isEqualTo(1);
          redis.command("ACL", "SETUSER", "default", "-evalsha");
          Assertions.assertThatThrownBy(() -> limiter.tryAcquire("u"))
              .isInstanceOf(RateLimiterException.class);
          assertThat(count("weir.mistakes", "policy", "api", "cause", "no-permission"))
              .isEqualTo(1);
        });
  }
}
