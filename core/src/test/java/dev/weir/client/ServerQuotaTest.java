package dev.weir.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.Source;
import dev.weir.http.IetfHeaders;
import dev.weir.http.LegacyHeaders;
import dev.weir.http.RateLimitHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What servers say of their limits, in every form that is sent, and in none. */
class ServerQuotaTest {

  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);

  private static Function<String, List<String>> headers(String... namesAndValues) {
    return name -> {
      List<String> values = new ArrayList<>();
      for (int i = 0; i < namesAndValues.length; i += 2) {
        if (namesAndValues[i].equals(name)) {
          values.add(namesAndValues[i + 1]);
        }
      }
      return values;
    };
  }

  private static List<ServerQuota> read(String... namesAndValues) {
    return ServerQuota.read(headers(namesAndValues), NOW);
  }

  private static ServerQuota quota(String name, long remaining, long seconds) {
    return new ServerQuota(name, remaining, Optional.of(Duration.ofSeconds(seconds)));
  }

  @Test
  void theFormsOfTheDrafts() {
    assertThat(read("RateLimit", "\"default\";r=50;t=30"))
        .containsExactly(quota("default", 50, 30));
    assertThat(read("RateLimit", "\"default\";r=999;pk=:dHJpYWwxMjEzMjM=:"))
        .containsExactly(new ServerQuota("default", 999, Optional.empty()));
    assertThat(read("RateLimit", "\"a\";r=1;t=2, \"b,c\";r=0;t=9", "RateLimit", "\"d\";r=3"))
        .containsExactly(
            quota("a", 1, 2), quota("b,c", 0, 9), new ServerQuota("d", 3, Optional.empty()));
    assertThat(read("RateLimit", "limit=100, remaining=50, reset=5"))
        .containsExactly(quota("", 50, 5));
    assertThat(
            read(
                "RateLimit-Limit", "10, 10;w=1",
                "RateLimit-Remaining", "9",
                "RateLimit-Reset", "4"))
        .containsExactly(quota("", 9, 4));
  }

  @Test
  void theInputsOfTheDraftsAppendix() {
    assertThat(read("RateLimit", "quota;t=1")).as("without r").isEmpty();
    assertThat(read("RateLimit", "quota;r=7;t=1"))
        .as("unquoted")
        .containsExactly(quota("quota", 7, 1));
    assertThat(read("RateLimit-Policy", "quota;q=100;w=1")).isEmpty();
    assertThat(read("RateLimit-Policy", "\"quota\";q=100", "RateLimit", "\"quota\";r=1;t=1"))
        .containsExactly(quota("quota", 1, 1));
  }

  @Test
  void aResetIsOfTheEpochOrFromNow() {
    assertThat(read("X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "1700000030"))
        .containsExactly(quota("", 0, 30));
    assertThat(read("X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "30"))
        .containsExactly(quota("", 0, 30));
    assertThat(read("X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "1600000000"))
        .as("in the past")
        .containsExactly(quota("", 0, 0));
  }

  @Test
  void whatIsMalformedOrFromACacheIsIgnored() {
    for (String malformed :
        List.of(
            "",
            ",",
            "\"a\";r=1,",
            "\"a;r=1",
            "\"a\";r=-1",
            "\"a\";r=1.5",
            "\"a\";r=x",
            "\"a\"r=1",
            "\"a\";r=99999999999999999",
            ";r=1",
            "\"a\";r=1 \"b\";r=2",
            "\"a\";=1")) {
      assertThat(read("RateLimit", malformed)).as(malformed).isEmpty();
    }
    assertThat(read("RateLimit", "\"a\";r=1", "Age", "3")).isEmpty();
    assertThat(read("RateLimit", "\"a\";r=1", "Age", "0")).hasSize(1);
    assertThat(read("X-RateLimit-Remaining", "ten", "X-RateLimit-Reset", "never")).isEmpty();
  }

  @Test
  void retryAfterComesBeforeEverything() {
    assertThat(holdOff(429, "Retry-After", "7", "RateLimit", "\"a\";r=0;t=3")).hasSeconds(7);
    assertThat(holdOff(503, "Retry-After", "Tue, 14 Nov 2023 22:13:25 GMT")).hasSeconds(5);
    assertThat(holdOff(429, "Retry-After", "Tue, 14 Nov 2000 22:13:25 GMT")).isZero();
    assertThat(holdOff(429, "Retry-After", "2.0", "RateLimit", "\"a\";r=0;t=3")).hasSeconds(3);
    assertThat(holdOff(200, "Retry-After", "7")).as("of no refusal").isZero();
    assertThat(holdOff(200, "RateLimit", "\"a\";r=0;t=3, \"b\";r=1;t=90")).hasSeconds(3);
    assertThat(holdOff(429)).isZero();
  }

  private static Duration holdOff(int status, String... namesAndValues) {
    return ServerQuota.holdOff(status, headers(namesAndValues), NOW);
  }

  @Test
  void ownHeadersAreUnderstoodInEachGeneration() {
    Decision decision =
        Decision.of(
            RateLimitPolicy.of("api", FixedWindow.of(10, Duration.ofMinutes(1))),
            Source.MEMORY,
            1,
            0,
            12_300_000,
            12_300_000,
            12_300_000,
            0);
    for (RateLimitHeaders form :
        List.of(
            RateLimitHeaders.of(new IetfHeaders()),
            RateLimitHeaders.of(new LegacyHeaders(LegacyHeaders.Reset.EPOCH)),
            RateLimitHeaders.of(new LegacyHeaders(LegacyHeaders.Reset.DELTA)))) {
      Map<String, String> sent = form.of(decision, NOW.getEpochSecond());
      List<ServerQuota> read =
          ServerQuota.read(
              name -> sent.containsKey(name) ? List.of(sent.get(name)) : List.of(), NOW);
      assertThat(read).hasSize(1);
      assertThat(read.get(0).remaining()).isZero();
      assertThat(read.get(0).until()).contains(Duration.ofSeconds(13));
    }
  }

  @Test
  void noTextThrows() {
    long seed = Long.getLong("weir.seed", System.nanoTime());
    Random random = new Random(seed);
    String alphabet = "\"\\;,=rtq:0 9a-.*é";
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int j = random.nextInt(30); j > 0; j--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      String value = text.toString();
      for (ServerQuota quota : ServerQuota.read(name -> List.of(value), NOW)) {
        assertThat(quota.remaining()).as("seed %d: %s", seed, value).isNotNegative();
      }
      assertThat(ServerQuota.holdOff(429, name -> List.of(value), NOW))
          .as("seed %d: %s", seed, value)
          .isGreaterThanOrEqualTo(Duration.ZERO);
    }
  }
}
