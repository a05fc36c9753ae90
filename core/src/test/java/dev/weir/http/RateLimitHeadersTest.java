package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.Source;
import dev.weir.TokenBucket;
import dev.weir.http.LegacyHeaders.Reset;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Headers: whole numbers, rounded up, that agree with each other and with RFC 9651. */
class RateLimitHeadersTest {

  private static final long NOW = 1_700_000_000;
  private static final Pattern ITEM =
      Pattern.compile("\"[ !#-\\[\\]-~]*\"(;[a-z*][a-z0-9_.*-]*=\\d{1,15})+");

  private static final RateLimitPolicy POLICY =
      RateLimitPolicy.builder("api")
          .limit("per-second", TokenBucket.smooth(20, 20, Duration.ofSeconds(1)))
          .limit("per-hour", FixedWindow.of(100, Duration.ofHours(1)))
          .build();

  private static Map<String, String> of(long... verdicts) {
    return RateLimitHeaders.standard().of(Decision.of(POLICY, Source.MEMORY, 1, verdicts), NOW);
  }

  @Test
  void anAllowedCallReportsTheTightestLimit() {
    Map<String, String> headers =
        of(19, 0, 50_000, 50_000, 0, /* per-hour */ 3, 0, 1_500_001, 1_500_001, 0);
    assertThat(headers)
        .containsExactly(
            Map.entry("X-RateLimit-Limit", "100"),
            Map.entry("X-RateLimit-Remaining", "3"),
            Map.entry("X-RateLimit-Reset", Long.toString(NOW + 2)),
            Map.entry("RateLimit-Policy", "\"per-second\";q=20;w=1, \"per-hour\";q=100;w=3600"),
            Map.entry("RateLimit", "\"per-hour\";r=3;t=2"));
  }

  @Test
  void aRefusalWaitsAtLeastASecondAndNoLessThanItsLimitSays() {
    Map<String, String> headers =
        of(0, 40_000, 40_000, 990_000, 0, /* per-hour */ 50, 0, 9_000_000, 9_000_000, 0);
    assertThat(headers)
        .containsEntry("Retry-After", "1")
        .containsEntry("Cache-Control", "no-store")
        .containsEntry("RateLimit", "\"per-second\";r=0;t=1");
    assertThat(of(0, 3_233_334, 1, 1, 0, 5, 0, 1, 1, 0)).containsEntry("Retry-After", "4");
  }

  @Test
  void neverHasNoRetryAfter() {
    assertThat(of(20, -1, 0, 0, 0, 100, 0, 0, 0, 0))
        .doesNotContainKey("Retry-After")
        .containsEntry("RateLimit", "\"per-second\";r=20;t=0");
  }

  @Test
  void theResetIsSwitchableToSecondsFromNow() {
    Decision decision = Decision.of(POLICY, Source.MEMORY, 1, 1, 0, 5, 7_000_000, 0, 9, 0, 5, 5, 0);
    assertThat(RateLimitHeaders.of(new LegacyHeaders(Reset.DELTA)).of(decision, NOW))
        .containsEntry("X-RateLimit-Reset", "7")
        .doesNotContainKey("RateLimit");
  }

  @Test
  void randomDecisionsGiveWellFormedHeadersThatAgree() {
    long seed = Long.getLong("weir.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int i = 0; i < 10_000; i++) {
      long[] verdicts = new long[10];
      for (int limit = 0; limit < 2; limit++) {
        long wait = random.nextInt(3) == 0 ? 1 + (random.nextLong() >>> 20) : 0;
        verdicts[limit * 5] = wait > 0 ? 0 : random.nextInt(20);
        verdicts[limit * 5 + 1] = random.nextInt(20) == 0 ? -1 : wait;
        verdicts[limit * 5 + 2] = random.nextLong() >>> 30;
        verdicts[limit * 5 + 3] = random.nextLong() >>> 20;
      }
      Map<String, String> headers = of(verdicts);
      String why = "seed %d: %s".formatted(seed, headers);
      for (String list : new String[] {"RateLimit-Policy", "RateLimit"}) {
        assertThat(headers.getOrDefault(list, "")).as(why).matches(ITEM + "(, " + ITEM + ")*");
      }
      String retryAfter = headers.get("Retry-After");
      if (retryAfter != null) {
        Matcher t = Pattern.compile(";t=(\\d+)").matcher(headers.getOrDefault("RateLimit", ""));
        assertThat(t.find()).as(why).isTrue();
        assertThat(Long.parseLong(retryAfter))
            .as(why)
            .isPositive()
            .isGreaterThanOrEqualTo(Long.parseLong(t.group(1)));
      }
    }
  }
}
