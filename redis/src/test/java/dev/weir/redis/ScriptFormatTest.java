package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.CalendarUnit;
import dev.weir.CalendarWindow;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.testkit.RedisServer;
import dev.weir.testkit.RedisVersion;
import dev.weir.testkit.Shape;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Scripts of every set of algorithms compile and use no globals; stored layouts never change. */
class ScriptFormatTest {

  private static final String DUMP = "return string.dump(loadstring(ARGV[1]))";

  static List<RedisVersion> versions() {
    return RedisVersion.tested();
  }

  /** One limit for each script. */
  private static Map<AlgorithmScript, Limit> limits() {
    Map<AlgorithmScript, Limit> limits = new EnumMap<>(AlgorithmScript.class);
    for (Shape shape : Shape.values()) {
      Limit limit = shape.of(5, Duration.ofSeconds(1));
      limits.put(LimitArguments.of(limit).script(), limit);
    }
    limits.put(AlgorithmScript.CALENDAR, CalendarWindow.of(5, CalendarUnit.DAY, ZoneOffset.UTC));
    assertThat(limits).hasSize(AlgorithmScript.values().length);
    return limits;
  }

  /** A policy for every set of scripts. */
  private static List<RateLimitPolicy> policies() {
    List<Limit> limits = new ArrayList<>(limits().values());
    List<RateLimitPolicy> policies = new ArrayList<>();
    for (int set = 1; set < 1 << limits.size(); set++) {
      RateLimitPolicy.Builder policy = RateLimitPolicy.builder("p" + set);
      for (int i = 0; i < limits.size(); i++) {
        if ((set >> i & 1) == 1) {
          policy.limit(limits.get(i));
        }
      }
      policies.add(policy.build());
    }
    return policies;
  }

  @ParameterizedTest
  @MethodSource("versions")
  void everySetOfAlgorithmsDecidesOnEveryRedis(RedisVersion version) {
    try (RedisServer redis = RedisServer.start(version)) {
      for (RateLimitPolicy policy : policies()) {
        PolicyCall call = new PolicyCall(policy, Script::of, ServerClock.ofMachine());
        List<String> command =
            new ArrayList<>(List.of("EVAL", call.script(Operation.ACQUIRE).text(), "1", "k"));
        call.arguments(Operation.ACQUIRE, 1)
            .forEach(part -> command.add(new String(part, StandardCharsets.US_ASCII)));
        redis.command("DEL", "k");
        List<?> reply =
            (List<?>) Objects.requireNonNull(redis.command(command.toArray(String[]::new)));
        List<Long> numbers = reply.stream().map(Long.class::cast).toList();
        assertThat(call.read(numbers, 1).decision().allowed()).as(policy.toString()).isTrue();
        assertThat(numbers).hasSize(3 + policy.limits().size() * Decision.VERDICT_LENGTH);
      }
    }
  }

  @Test
  void noScriptWritesAGlobalOrReadsAnUnknownOne() {
    try (RedisServer redis = RedisServer.start(RedisVersion.REDIS_7_0)) {
      assertThat(globals(redis, "local a = b; function c() d = e end").globalsWritten())
          .as("the check sees globals")
          .containsExactly("c", "d");
      for (RateLimitPolicy policy : policies()) {
        assertUsesKnownGlobals(globals(redis, Script.of(policy).text()));
      }
      for (Operation operation : Operation.values()) {
        assertUsesKnownGlobals(globals(redis, Script.of(policies().get(0), operation).text()));
      }
    }
  }

  private static void assertUsesKnownGlobals(LuaChunk script) {
    assertThat(script.globalsWritten()).isEmpty();
    assertThat(script.globalsRead())
        .isSubsetOf(
            "KEYS",
            "ARGV",
            "redis",
            "struct",
            "math",
            "string",
            "table",
            "ipairs",
            "pairs",
            "tonumber",
            "type",
            "unpack");
  }

  private static LuaChunk globals(RedisServer redis, String text) {
    return new LuaChunk(String.valueOf(redis.command("EVAL", DUMP, "0", text)));
  }

  @Test
  void theReplyIsAsItsHeaderAndTheDecisionSay() {
    String header =
        Script.resource("lua/acquire.lua").replaceAll("(?s)^.*-- REPLY: (.*?)\n\n.*$", "$1");
    String numbers =
        header
            .replaceAll("\\s*\n--\\s*", " ")
            .replaceAll("^.*for each limit: ", "")
            .replaceAll("\\([^)]*\\)", "")
            .replaceAll(";.*$", "");
    assertThat(numbers.split(", ")).as(numbers).hasSize(Decision.VERDICT_LENGTH);
  }

  @Test
  void aStoredLayoutIsNeverChangedUnderItsLetter() throws IOException {
    Map<String, String> now = new TreeMap<>();
    Pattern.compile("(\\w) = \\{ format = '([^']*)', length = \\d+ }, -- (.*)")
        .matcher(Script.resource("lua/prelude.lua"))
        .results()
        .forEach(layout -> now.put(layout.group(1), layout.group(2) + " " + layout.group(3)));
    Properties committed = new Properties();
    committed.load(new StringReader(Script.resource("stored-layouts.properties")));
    assertThat(now)
        .as("Redis holds states of this layout: give the new one a new letter, keep this line")
        .isEqualTo(new TreeMap<>(committed));
  }

  @Test
  void valuesAndUserTextAreArgumentsNeverPartOfAScript() {
    RateLimitPolicy one = RateLimitPolicy.of("one", Shape.LEAKY_BUCKET_SHAPING.of(1, millis(1)));
    RateLimitPolicy other = RateLimitPolicy.of("other", Shape.TOKEN_BUCKET_SMOOTH.of(9, millis(7)));
    assertThat(Script.of(one)).isEqualTo(Script.of(other));
  }

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }
}
