package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.Source;
import dev.weir.adaptive.AdaptivePolicy;
import dev.weir.adaptive.AdaptivePolicy.Mode;
import dev.weir.adaptive.AdaptiveVerdict;
import dev.weir.adaptive.CallReader;
import dev.weir.adaptive.Explanation;
import dev.weir.adaptive.Outcome;
import dev.weir.adaptive.SubjectCall;
import dev.weir.adaptive.SubjectState;
import dev.weir.adaptive.Tier;
import dev.weir.testkit.RedisServer;
import dev.weir.testkit.Seed;
import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The adaptive limiter on a real Redis and its own clock. */
class AdaptiveRedisTest extends LiveRedis {

  private static final RateLimitPolicy LIMITS =
      RateLimitPolicy.of("api", FixedWindow.of(20_000, Duration.ofHours(1)));

  private static final AdaptivePolicy ENFORCE = AdaptivePolicy.builder().mode(Mode.ENFORCE).build();

  private static final CallReader READER = new CallReader(ENFORCE);
  private static final String KEY = "weir:{api:s}";

  private static RedisAdaptiveRateLimiter adaptive(RateLimitPolicy limits) {
    return RedisAdaptiveRateLimiter.of(limiter(limits), ENFORCE);
  }

  private static CallReader.Read read(String path) {
    return READER.read("GET", path, null, false, "agent", null, null, 1);
  }

  private static SubjectCall call(String path) {
    return SubjectCall.of("s", read(path).call());
  }

  private static List<Outcome> missing(int from, int count) {
    return java.util.stream.IntStream.range(from, from + count)
        .mapToObj(i -> read("/none/" + i + "x").outcome(404, false))
        .toList();
  }

  private static List<String> stored() {
    return Stream.of(KEY, KEY + ":adaptive", KEY + ":behaviour")
        .map(key -> String.valueOf(server.command("DUMP", key)))
        .toList();
  }

  /** Whether all three have the time to live that the test gave, which a write would change. */
  private static boolean haveGivenLife() {
    return keys().stream()
        .mapToLong(LiveRedis::expiryMillis)
        .allMatch(millis -> millis <= 500_000 && millis > 400_000);
  }

  /** One call was counted, and may have faded by some seconds of Redis' own clock since. */
  private static void assertOneCall(RedisAdaptiveRateLimiter limiter) {
    assertThat(limiter.explain("s").counters().get("total")).isBetween(0.9, 1.0);
  }

  @Test
  void peekAndExplainChangeNoByteAndNoExpiry() {
    RedisAdaptiveRateLimiter limiter = adaptive(LIMITS);
    limiter.decide(call("/a"));
    limiter.reportAsync("s", missing(0, 5)).join();
    for (String key : keys()) {
      server.command("PEXPIRE", key, "500000");
    }
    List<String> before = stored();
    assertThat(before).doesNotContain("null");
    AdaptiveVerdict peeked = limiter.peek(call("/b").after(missing(10, 20)));
    assertThat(peeked.tier()).isEqualTo(Tier.BLOCKED);
    assertOneCall(limiter);
    assertThat(stored()).isEqualTo(before);
    assertThat(haveGivenLife()).isTrue();
    limiter.decide(call("/b"));
    assertThat(haveGivenLife()).as("the check sees a write").isFalse();
    assertThat(stored()).as("the check sees a change").isNotEqualTo(before);
  }

  @Test
  void outcomesBlockAndTheExplanationSaysWhy() {
    RedisAdaptiveRateLimiter limiter = adaptive(LIMITS);
    assertThat(limiter.decide(call("/a")).allowed()).isTrue();
    AdaptiveVerdict blocked = limiter.decide(call("/b").after(missing(0, 13)));
    assertThat(blocked.allowed()).isFalse();
    assertThat(blocked.refusedByTierAlone()).isTrue();
    assertThat(blocked.retryAfterMicros()).isBetween(50_000_000L, 60_200_000L);
    Explanation why = limiter.explain("s");
    assertThat(why.tier()).isEqualTo(Tier.BLOCKED);
    assertThat(why.points().keySet().iterator().next().word()).isEqualTo("unmatched");
    limiter.resetAsync("s").join();
    assertThat(keys()).isEmpty();
  }

  @Test
  void anOrdinaryLimiterSharesTheBaseLimits() {
    RateLimitPolicy limits = RateLimitPolicy.of("api", FixedWindow.of(3, Duration.ofHours(1)));
    RedisAdaptiveRateLimiter limiter = adaptive(limits);
    assertThat(limiter.decide(call("/a")).base().remaining()).isEqualTo(2);
    assertThat(limiter(limits).tryAcquire("s").remaining()).isEqualTo(1);
    assertThat(limiter.decide(call("/a")).base().remaining()).isZero();
    assertThat(limiter.decide(call("/a")).allowed()).isFalse();
  }

  @Test
  void aStateStaysSmallWhateverTheSubjectDoes() {
    RedisAdaptiveRateLimiter limiter = adaptive(LIMITS);
    Random random = new Random(Seed.get());
    long longest = 0;
    for (int i = 0; i < 10_000; i++) {
      String path = "/p" + Long.toString(random.nextLong() & 0xffffffL, 36) + "/x";
      CallReader.Read read =
          READER.read("GET", path, path, false, "a" + random.nextInt(99), "u" + i, path, 1);
      limiter.decide(SubjectCall.of("s", read.call()).after(List.of(read.outcome(404, false))));
      if (i % 100 == 0) {
        longest = Math.max(longest, length(KEY + ":behaviour"));
      }
    }
    System.out.println("seed " + Seed.get() + ", longest behaviour " + longest + " bytes");
    assertThat(longest).isBetween(300L, (long) SubjectState.MAX_BYTES);
    assertThat(expiryMillis(KEY + ":behaviour")).isGreaterThan(15 * 60 * 1_000L);
  }

  private static long length(String key) {
    return (Long) java.util.Objects.requireNonNull(server.command("STRLEN", key));
  }

  @Test
  void manyThreadsMakeOneBlock() throws Exception {
    RedisAdaptiveRateLimiter limiter = adaptive(LIMITS);
    ExecutorService threads = Executors.newFixedThreadPool(64);
    List<Future<?>> ends = new ArrayList<>();
    CountDownLatch start = new CountDownLatch(64);
    for (int i = 0; i < 64; i++) {
      int thread = i;
      ends.add(
          threads.submit(
              () -> {
                start.countDown();
                start.await();
                for (int j = 0; j < 5; j++) {
                  limiter.decide(call("/a").after(missing(thread * 5 + j, 1)));
                }
                return null;
              }));
    }
    for (Future<?> end : ends) {
      end.get();
    }
    threads.shutdown();
    Explanation why = limiter.explain("s");
    assertThat(why.tier()).isEqualTo(Tier.BLOCKED);
    assertThat(why.strikes()).isBetween(0.99, 1.0);
  }

  @Test
  void aDecisionIsOneScriptAndItsCostIsSmall() {
    RedisAdaptiveRateLimiter limiter = adaptive(LIMITS);
    limiter.decide(call("/a"));
    for (int i = 0; i < 2_000; i++) {
      limiter.decide(SubjectCall.of("s" + i % 50, read("/warm/" + i % 7).call()));
    }
    server.command("CONFIG", "RESETSTAT");
    for (int i = 0; i < 5_000; i++) {
      SubjectCall call = SubjectCall.of("s" + i % 50, read("/page/" + i % 7).call());
      limiter.decide(i % 3 == 0 ? call.after(List.of(read("/x").outcome(404, false))) : call);
    }
    assertThat(calls("evalsha")).isEqualTo(5_000);
    assertThat(calls("eval")).isZero();
    double adaptive = microsPerCall();
    RedisRateLimiter plain = limiter(LIMITS);
    plain.tryAcquire("s");
    server.command("CONFIG", "RESETSTAT");
    for (int i = 0; i < 5_000; i++) {
      plain.tryAcquire("s" + i % 50);
    }
    System.out.printf(
        "script: %.1f us for each adaptive decision, %.1f us for one by limits alone%n",
        adaptive, microsPerCall());
    assertThat(adaptive).isLessThan(1_000);
  }

  private static double microsPerCall() {
    String stats = String.valueOf(server.command("INFO", "commandstats"));
    Matcher evalsha = Pattern.compile("cmdstat_evalsha:.*?usec_per_call=([0-9.]+)").matcher(stats);
    assertThat(evalsha.find()).isTrue();
    return Double.parseDouble(evalsha.group(1));
  }

  @Test
  void allKeysOfASubjectAreInOneSlot() {
    RedisKeys keys = new RedisKeys("weir", "api", false);
    for (String subject : List.of("s", "", "}{", "{x}", "x".repeat(1_000), "\u00e9")) {
      byte[] key = keys.of(subject);
      assertThat(
              List.of(SlotHash.getSlot(keys.lowered(key)), SlotHash.getSlot(keys.behaviour(key))))
          .as(subject)
          .containsOnly(SlotHash.getSlot(key));
    }
  }

  @Test
  void damagedBehaviourIsTakenAsFreshAndCounted() {
    RedisRateLimiter limits = limiter(LIMITS);
    RedisAdaptiveRateLimiter limiter = RedisAdaptiveRateLimiter.of(limits, ENFORCE);
    for (String damaged : List.of("", "x", "\u0001".repeat(79), "\u0001".repeat(500))) {
      server.command("SET", KEY + ":behaviour", damaged);
      assertThat(limiter.decide(call("/a")).tier()).isEqualTo(Tier.NORMAL);
    }
    server.command("DEL", KEY + ":behaviour");
    server.command("HSET", KEY + ":behaviour", "a", "b");
    assertThat(limiter.decide(call("/a")).tier()).isEqualTo(Tier.NORMAL);
    assertThat(limits.damagedStates()).isEqualTo(5);
    assertOneCall(limiter);
  }

  @Test
  void withoutRedisTheFailureModeDecides() {
    try (RedisServer other = RedisServer.start()) {
      try (RedisRateLimiter limits =
          LettuceRateLimiter.builder(io.lettuce.core.RedisClient.create(other.uri()), LIMITS)
              .build()) {
        RedisAdaptiveRateLimiter limiter = RedisAdaptiveRateLimiter.of(limits, ENFORCE);
        limiter.decide(call("/a").after(missing(0, 13)));
        other.kill();
        AdaptiveVerdict verdict = limiter.decide(call("/a"));
        assertThat(verdict.base().source()).isEqualTo(Source.DEGRADED_LOCAL);
        assertThat(verdict.tier()).isEqualTo(Tier.NORMAL);
        limiter.report("s", read("/a").outcome(404, false));
        assertThat(limiter.explain("s").tier()).isEqualTo(Tier.NORMAL);
      }
    }
  }

  @Test
  void aChangedPolicyActsOnTheNextCall() {
    RedisRateLimiter limits = limiter(LIMITS);
    RedisAdaptiveRateLimiter limiter = RedisAdaptiveRateLimiter.of(limits, ENFORCE);
    limiter.decide(call("/a"));
    limits.changePolicy(RateLimitPolicy.of("api", FixedWindow.of(3, Duration.ofHours(1))));
    assertThat(limiter.decide(call("/a")).base().remaining()).isEqualTo(1);
    assertThat(new String(limits.keys().of("s"), StandardCharsets.US_ASCII)).isEqualTo(KEY);
  }
}
