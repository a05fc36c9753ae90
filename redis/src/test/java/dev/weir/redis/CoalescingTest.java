package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.FailureMode;
import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.Source;
import dev.weir.testkit.Await;
import dev.weir.testkit.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.UnifiedJedis;

/** Calls that are asked for at the same time, on a real Redis. */
class CoalescingTest extends LiveRedis {

  private static final RateLimitPolicy POLICY =
      RateLimitPolicy.of("api", FixedWindow.of(100, Duration.ofDays(1)));

  private static RedisRateLimiter together(RateLimitPolicy policy, Duration timeout) {
    return LettuceRateLimiter.builder(connection, policy).coalescing(true).timeout(timeout).build();
  }

  private static RedisRateLimiter together() {
    return together(POLICY, Duration.ofSeconds(10));
  }

  @Test
  void manyCallsAreFewScripts() {
    RedisRateLimiter limiter = together();
    limiter.check();
    server.command("CONFIG", "RESETSTAT");
    server.pause();
    List<CompletableFuture<Decision>> calls;
    try {
      calls = IntStream.range(0, 1_000).mapToObj(i -> limiter.tryAcquireAsync("k" + i)).toList();
    } finally {
      server.resume();
    }
    assertThat(calls).allMatch(call -> call.join().remaining() == 99);
    assertThat(calls("evalsha")).as("scripts for 1,000 calls").isLessThanOrEqualTo(20);
  }

  @Test
  void eachCallerGetsItsOwnAnswerInTheOrderOfTheKey() {
    long seed = Seed.get();
    Random random = new Random(seed);
    RedisRateLimiter limiter = together();
    // Who has to bring the script is overtaken.
    limiter.check();
    Map<String, Long> used = new HashMap<>();
    for (int round = 0; round < 20; round++) {
      List<CompletableFuture<Decision>> calls = new ArrayList<>();
      List<Long> expected = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        String key = "k" + random.nextInt(20);
        long permits = random.nextInt(4);
        boolean looks = random.nextInt(5) == 0;
        long before = used.getOrDefault(key, 0L);
        boolean fits = before + permits <= 100;
        used.put(key, before + (fits && !looks ? permits : 0));
        expected.add(fits ? 100 - before - (looks ? 0 : permits) : -1 - (100 - before));
        calls.add(looks ? limiter.peekAsync(key, permits) : limiter.tryAcquireAsync(key, permits));
      }
      for (int i = 0; i < calls.size(); i++) {
        Decision decision = calls.get(i).join();
        long told = decision.allowed() ? decision.remaining() : -1 - decision.remaining();
        assertThat(told)
            .as("seed %d, round %d, call %d", seed, round, i)
            .isEqualTo(expected.get(i));
      }
    }
  }

  @Test
  void aCallerThatGivesUpTakesNothingFromOthers() {
    RedisRateLimiter patient = together();
    patient.check();
    RedisRateLimiter hasty =
        together(
            RateLimitPolicy.builder("hasty")
                .limit(FixedWindow.of(100, Duration.ofDays(1)))
                .failureMode(FailureMode.closed())
                .build(),
            Duration.ofMillis(150));
    hasty.check();
    server.pause();
    CompletableFuture<Decision> first;
    List<CompletableFuture<Decision>> late;
    List<CompletableFuture<Decision>> given;
    try {
      first = patient.tryAcquireAsync("first");
      late = IntStream.range(0, 50).mapToObj(i -> patient.tryAcquireAsync("p" + i)).toList();
      given = IntStream.range(0, 200).mapToObj(i -> hasty.tryAcquireAsync("h" + i)).toList();
      assertThat(given).allMatch(call -> call.join().source() == Source.DEGRADED_CLOSED);
      late.get(7).cancel(true);
    } finally {
      server.resume();
    }
    assertThat(first.join().source()).isEqualTo(Source.REDIS);
    for (int i = 0; i < late.size(); i++) {
      if (i != 7) {
        assertThat(late.get(i).join().remaining()).isEqualTo(99);
      }
    }
    Await.until(
        "Redis decides again",
        Duration.ofSeconds(10),
        () -> hasty.peek("h0").source() == Source.REDIS);
    // What was sent may have been charged, once; what was not sent is not sent later.
    for (int i = 0; i < 200; i++) {
      assertThat(hasty.peek("h" + i).remaining()).isBetween(99L, 100L);
    }
  }

  @Test
  void damagedStateOfOneKeyIsNoFailureOfOthers() {
    RedisRateLimiter limiter = together();
    limiter.check();
    server.command("LPUSH", "weir:{api:bad}", "x");
    server.command("SET", "weir:{api:worse}", "nonsense");
    List<CompletableFuture<Decision>> calls = new ArrayList<>();
    for (String key : List.of("a", "bad", "b", "worse", "c")) {
      calls.add(limiter.tryAcquireAsync(key));
      calls.add(limiter.tryAcquireAsync(key));
    }
    assertThat(calls.stream().map(call -> call.join().remaining()))
        .containsExactly(99L, 98L, 99L, 98L, 99L, 98L, 99L, 98L, 99L, 98L);
    assertThat(limiter.damagedStates()).isEqualTo(2);
  }

  @Test
  void aFlushedScriptIsSentAgainAndNothingIsChargedTwice() {
    RedisRateLimiter limiter = together();
    for (int round = 1; round <= 5; round++) {
      server.command("SCRIPT", "FLUSH");
      List<CompletableFuture<Decision>> calls =
          IntStream.range(0, 30).mapToObj(i -> limiter.tryAcquireAsync("k" + i)).toList();
      long left = 100L - round;
      assertThat(calls).allMatch(call -> call.join().remaining() == left);
    }
  }

  @Test
  void mistakesAreThrownToEachCaller() {
    server.command("ACL", "SETUSER", "default", "-evalsha", "-eval");
    try {
      RedisRateLimiter limiter = together();
      List<CompletableFuture<Decision>> calls =
          IntStream.range(0, 10).mapToObj(i -> limiter.tryAcquireAsync("k" + i)).toList();
      calls.forEach(call -> assertThatThrownBy(call::join).hasMessageContaining("permission"));
    } finally {
      server.command("ACL", "SETUSER", "default", "+@all");
    }
  }

  @Test
  void throughJedisToo() {
    try (UnifiedJedis jedis = new UnifiedJedis("redis://127.0.0.1:" + server.port());
        RedisRateLimiter limiter =
            JedisRateLimiter.builder(jedis, POLICY)
                .coalescing(true)
                .timeout(Duration.ofSeconds(10))
                .build()) {
      List<CompletableFuture<Decision>> calls =
          IntStream.range(0, 150).mapToObj(i -> limiter.tryAcquireAsync("u")).toList();
      for (int i = 0; i < 150; i++) {
        assertThat(calls.get(i).join().allowed()).as("call %d", i).isEqualTo(i < 100);
      }
    }
  }
}
