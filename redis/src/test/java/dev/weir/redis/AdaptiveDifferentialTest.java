package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.RateLimitPolicy;
import dev.weir.adaptive.AdaptiveAlgorithm;
import dev.weir.adaptive.AdaptivePolicy;
import dev.weir.adaptive.AdaptiveState;
import dev.weir.adaptive.AdaptiveVerdict;
import dev.weir.adaptive.Hash;
import dev.weir.adaptive.Outcome;
import dev.weir.adaptive.Standing;
import dev.weir.adaptive.SubjectCall;
import dev.weir.adaptive.SubjectState;
import dev.weir.adaptive.SubjectStateBytes;
import dev.weir.adaptive.Tier;
import dev.weir.testkit.ManualClock;
import dev.weir.testkit.RedisServer;
import dev.weir.testkit.RedisVersion;
import dev.weir.testkit.Seed;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The scripts of the adaptive layer against its arithmetic in Java: answers and stored bytes. */
class AdaptiveDifferentialTest {

  private static final int POLICIES = 40;
  private static final int STEPS = 1_500;

  static List<RedisVersion> versions() {
    return RedisVersion.tested();
  }

  @ParameterizedTest
  @MethodSource("versions")
  void theScriptsJudgeAsTheArithmeticDoes(RedisVersion version) {
    long seed = Seed.get();
    Map<Tier, Integer> tiers = new EnumMap<>(Tier.class);
    try (RedisServer server = RedisServer.start(version)) {
      RedisClient client = RedisClient.create(server.uri());
      StatefulRedisConnection<String, String> connection = client.connect();
      for (int i = 0; i < POLICIES; i++) {
        new Run(server, connection, new Random(seed + i), "seed " + seed + " policy " + i, tiers)
            .run("p" + i);
      }
      client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
    System.out.println("seed " + seed + ", tiers that were applied: " + tiers);
    assertThat(tiers.keySet()).hasSize(4);
  }

  /** One policy: the same trace through both. */
  private static final class Run {
    private final RedisServer server;
    private final StatefulRedisConnection<String, String> connection;
    private final Random random;
    private final AdaptiveTrace trace;
    private final String name;
    private final Map<Tier, Integer> tiers;
    private final Map<String, AdaptiveState> states = new HashMap<>();
    private final RecordedTime time = new RecordedTime();
    private long now = ManualClock.MIDNIGHT;

    Run(
        RedisServer server,
        StatefulRedisConnection<String, String> connection,
        Random random,
        String name,
        Map<Tier, Integer> tiers) {
      this.server = server;
      this.connection = connection;
      this.random = random;
      this.trace = new AdaptiveTrace(random);
      this.name = name;
      this.tiers = tiers;
    }

    void run(String policyName) {
      RateLimitPolicy limits = trace.limits(policyName);
      AdaptivePolicy policy = trace.policy();
      AdaptiveAlgorithm memory = new AdaptiveAlgorithm(limits, policy);
      RedisAdaptiveRateLimiter redis =
          time.limiter(
              LettuceRateLimiter.builder(connection, limits).timeout(Duration.ofSeconds(10)),
              policy);
      for (int step = 0; step < STEPS; step++) {
        now += trace.step();
        time.set(now);
        String subject = "s" + random.nextInt(3);
        String at = name + " step " + step + " of " + limits + " " + policy;
        if (random.nextInt(3) == 0) {
          report(memory, redis, subject, at);
        } else {
          decide(memory, redis, subject, at);
        }
        assertSameBytes(limits, subject, at);
      }
    }

    private AdaptiveState state(String subject) {
      return states.getOrDefault(subject, AdaptiveState.FRESH);
    }

    private void report(
        AdaptiveAlgorithm memory, RedisAdaptiveRateLimiter redis, String subject, String at) {
      List<Outcome> outcomes = trace.outcomes();
      Standing standing = redis.reportAsync(subject, outcomes).join();
      AdaptiveState state = noted(memory, state(subject), outcomes, Hash.of(subject));
      states.put(subject, state);
      SubjectState behaviour = java.util.Objects.requireNonNull(state.behaviour());
      assertThat(standing.tier()).as(at).isEqualTo(behaviour.tier());
    }

    private AdaptiveState noted(
        AdaptiveAlgorithm memory, AdaptiveState stored, List<Outcome> outcomes, int seed) {
      AdaptiveState state = stored;
      for (Outcome outcome : outcomes) {
        state = memory.outcome(state, outcome, now, seed);
      }
      return state;
    }

    private void decide(
        AdaptiveAlgorithm memory, RedisAdaptiveRateLimiter redis, String subject, String at) {
      SubjectCall call = trace.call(subject);
      boolean asksBehaviour =
          switch (call.treatment().kind()) {
            case JUDGED, PINNED, WATCHED -> true;
            default -> false;
          };
      SubjectCall sent = asksBehaviour ? call : call.after(List.of());
      AdaptiveState stored = state(subject);
      AdaptiveState before = noted(memory, stored, sent.earlier(), call.seed());
      if (random.nextInt(10) == 0) {
        assertSame(
            redis.peek(sent),
            memory
                .decide(
                    before, call.call(), call.permits(), false, call.treatment(), now, call.seed())
                .verdict(),
            "peek " + at);
        return;
      }
      AdaptiveAlgorithm.Step step =
          memory.decide(before, call.call(), call.permits(), call.treatment(), now, call.seed());
      assertSame(redis.decide(sent), step.verdict(), at);
      states.put(subject, step.state());
      tiers.merge(step.verdict().tier(), 1, Integer::sum);
    }

    private static void assertSame(AdaptiveVerdict redis, AdaptiveVerdict memory, String at) {
      assertThat(text(redis)).as(at).isEqualTo(text(memory));
    }

    private static String text(AdaptiveVerdict verdict) {
      Decision base = verdict.base();
      return String.join(
          " ",
          "allowed=" + verdict.allowed(),
          "tier=" + verdict.tier(),
          "wait=" + verdict.adaptiveWaitMicros(),
          "adaptive=" + verdict.adaptiveAllows(),
          "enforced=" + verdict.enforced(),
          "standing=" + verdict.isInGoodStanding(),
          "base=" + base.allowed(),
          "limits=" + base.limits(),
          "charge=" + base.charge().map(charge -> charge.atMicros()));
    }

    private void assertSameBytes(RateLimitPolicy limits, String subject, String at) {
      Object text = server.command("GET", RedisHarness.redisKey(limits, subject) + ":behaviour");
      SubjectState behaviour = state(subject).behaviour();
      String expected =
          behaviour == null
              ? "null"
              : new String(SubjectStateBytes.write(behaviour), StandardCharsets.ISO_8859_1);
      assertThat(hex(String.valueOf(text))).as(at).isEqualTo(hex(expected));
    }

    private static String hex(String text) {
      return java.util.HexFormat.of().formatHex(text.getBytes(StandardCharsets.ISO_8859_1));
    }
  }
}
