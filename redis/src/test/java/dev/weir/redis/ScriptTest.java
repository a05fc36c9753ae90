package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.AlgorithmKind;
import dev.weir.CalendarUnit;
import dev.weir.CalendarWindow;
import dev.weir.Concurrency;
import dev.weir.FixedWindow;
import dev.weir.LeakyBucket;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.SlidingWindowCounter;
import dev.weir.SlidingWindowLog;
import dev.weir.TokenBucket;
import dev.weir.testkit.RedisServer;
import dev.weir.testkit.RedisVersion;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The scripts themselves: complete, in step with the code, and changed only on purpose. */
class ScriptTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private static final CalendarWindow CALENDAR =
      CalendarWindow.of(10, CalendarUnit.DAY, ZoneOffset.UTC);

  private static final Map<AlgorithmScript, Limit> LIMITS =
      new EnumMap<>(
          Map.of(
              AlgorithmScript.DRAIN, LeakyBucket.shaping(10, 2, SECOND),
              AlgorithmScript.INTERVAL, TokenBucket.interval(10, 2, SECOND),
              AlgorithmScript.WINDOW, FixedWindow.alignedToClock(10, SECOND),
              AlgorithmScript.COUNTER, SlidingWindowCounter.of(10, SECOND),
              AlgorithmScript.LOG, SlidingWindowLog.of(10, SECOND),
              AlgorithmScript.CONCURRENCY, Concurrency.of(10, SECOND),
              AlgorithmScript.CALENDAR, CALENDAR));

  static List<RedisVersion> versions() {
    return RedisVersion.tested();
  }

  private static Script script(AlgorithmScript algorithm) {
    return Script.of(RateLimitPolicy.of("p", limit(algorithm)));
  }

  private static Limit limit(AlgorithmScript algorithm) {
    return java.util.Objects.requireNonNull(LIMITS.get(algorithm));
  }

  @ParameterizedTest
  @EnumSource(AlgorithmScript.class)
  void theHeaderNamesTheLettersLayoutAndParameters(AlgorithmScript algorithm) {
    String text = Script.resource("lua/" + algorithm.file());
    Matcher state = Pattern.compile("-- STATE (\\w): (.*)").matcher(text);
    assertThat(state.find()).isTrue();
    String letter = algorithm == AlgorithmScript.CALENDAR ? "W" : algorithm.letter();
    assertThat(state.group(1)).isEqualTo(letter);
    assertThat(text).contains("algorithms." + algorithm.letter() + " = {");
    Matcher layout =
        Pattern.compile(letter + " = \\{ format = '([^']*)', length = (\\d+) }, -- (.*)")
            .matcher(Script.resource("lua/prelude.lua"));
    assertThat(layout.find()).isTrue();
    assertThat("last, " + layout.group(3)).isEqualTo(state.group(2));
    assertThat(length(layout.group(1))).isEqualTo(Integer.parseInt(layout.group(2)));
    Matcher parameters = Pattern.compile("-- PARAM: (.*)").matcher(text);
    assertThat(parameters.find()).isTrue();
    assertThat(parameters.group(1).split(", ")).hasSize((int) parameters(algorithm) + 1);
  }

  private static long parameters(AlgorithmScript algorithm) {
    if (algorithm == AlgorithmScript.CALENDAR) {
      return new CalendarArguments(CALENDAR).around(0).size();
    }
    LimitArguments arguments = LimitArguments.of(limit(algorithm));
    return Stream.of(arguments.a(), arguments.b(), arguments.c())
        .filter(value -> value != 0)
        .count();
  }

  private static int length(String format) {
    Matcher field = Pattern.compile("[cI](\\d)").matcher(format);
    return field.results().mapToInt(result -> Integer.parseInt(result.group(1))).sum();
  }

  @ParameterizedTest
  @EnumSource(AlgorithmKind.class)
  void everyAlgorithmHasAScriptAndASectionInTheDocs(AlgorithmKind kind) throws IOException {
    assertThat(LIMITS.values()).anyMatch(limit -> limit.kind() == kind);
    String heading =
        "## "
            + kind.word().substring(0, 1).toUpperCase(java.util.Locale.ROOT)
            + kind.word().substring(1).replace('-', ' ');
    Path root = Path.of(System.getProperty("weir.root"));
    assertThat(Files.readString(root.resolve("docs/algorithms.md"))).contains(heading);
  }

  @Test
  void aChangedScriptIsDeliberate() throws IOException {
    Map<String, String> now = new TreeMap<>();
    for (AlgorithmScript algorithm : AlgorithmScript.values()) {
      now.put(algorithm.file(), script(algorithm).sha1());
    }
    for (Operation operation : Operation.values()) {
      RateLimitPolicy policy = RateLimitPolicy.of("p", limit(AlgorithmScript.DRAIN));
      now.put("drain." + operation.word(), Script.of(policy, operation).sha1());
    }
    Properties committed = new Properties();
    committed.load(new StringReader(Script.resource("script-hashes.properties")));
    assertThat(now)
        .as(
            "a script changed: if the layout of its state did, give it another letter; then put"
                + " these hashes into script-hashes.properties")
        .isEqualTo(new TreeMap<>(committed));
  }

  @ParameterizedTest
  @MethodSource("versions")
  void everyScriptCompilesAndItsSha1IsRedisOwn(RedisVersion version) {
    try (RedisServer redis = RedisServer.start(version)) {
      for (AlgorithmScript algorithm : AlgorithmScript.values()) {
        for (Operation operation : Operation.values()) {
          Script script = Script.of(RateLimitPolicy.of("p", limit(algorithm)), operation);
          assertThat(redis.command("SCRIPT", "LOAD", script.text())).isEqualTo(script.sha1());
        }
      }
    }
  }
}
