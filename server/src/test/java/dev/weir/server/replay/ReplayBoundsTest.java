package dev.weir.server.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimitPolicy;
import dev.weir.TokenBucket;
import dev.weir.adaptive.AdaptivePolicy;
import dev.weir.adaptive.Setting;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the defaults must reach on every real log with labels. */
class ReplayBoundsTest {

  private static final RateLimitPolicy LIMITS =
      RateLimitPolicy.of("site", TokenBucket.smooth(100, 100, Duration.ofMinutes(1)));

  private static Path resource(String name) throws URISyntaxException {
    return Path.of(Objects.requireNonNull(ReplayBoundsTest.class.getResource(name)).toURI());
  }

  private static ReplayResult replay(String log, AdaptivePolicy adaptive)
      throws IOException, URISyntaxException {
    Labels labels = Labels.read(List.of(resource(log + ".labels.csv.gz")));
    PolicyFile policy = new PolicyFile("site", LIMITS, adaptive);
    try (Replayer replayer = new Replayer(policy, labels, ReplayStore.memory(policy))) {
      new LogFiles(List.of(resource(log + ".log.gz"))).read(replayer::replay, files -> {});
      return replayer.result();
    }
  }

  private static AdaptivePolicy.Builder enforced() {
    return AdaptivePolicy.builder().mode(AdaptivePolicy.Mode.ENFORCE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "app-2025",
        "blog-2025-12",
        "shop-2025-12",
        "three-sites-2026-02",
        "vanished-pages-2005-2018"
      })
  void theDefaultsHold(String log) throws IOException, URISyntaxException {
    ReplayResult result = replay(log, enforced().build());
    assertThat(result.precision().orElseThrow()).as("precision").isGreaterThanOrEqualTo(0.98);
    assertThat(result.recall().orElseThrow()).as("recall").isGreaterThanOrEqualTo(0.90);
    assertThat(result.peopleAboveNormal()).as("people above normal").isZero();
    assertThat(result.innocentRefused().orElseThrow())
        .as("innocent requests refused by the tier")
        .isLessThanOrEqualTo(0.001);
    assertThat(result.detectionRequest(0.5).orElseThrow())
        .as("request of detection, median")
        .isLessThanOrEqualTo(8);
    assertThat(result.detectionRequest(0.9).orElseThrow())
        .as("request of detection, p90")
        .isLessThanOrEqualTo(20);
  }

  /** A detector that finds less than two simple rules would be none. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "app-2025",
        "blog-2025-12",
        "shop-2025-12",
        "three-sites-2026-02",
        "vanished-pages-2005-2018"
      })
  void theDefaultsFindWhatRulesForProbingFind(String log) throws IOException, URISyntaxException {
    ReplayResult result = replay(log, enforced().build());
    ProbingRules rules = new ProbingRules();
    new LogFiles(List.of(resource(log + ".log.gz"))).read(rules::see, files -> {});
    double byRules = recall(result, subject -> rules.found(subject.name));
    double byTiers = result.recall().orElseThrow();
    long innocents = result.count(it -> Labels.isInnocent(it.label) && rules.found(it.name));
    System.out.printf(
        Locale.ROOT,
        "adaptive %s: scanners found %.1f%%, by rules for probing %.1f%% with %d innocents%n",
        log,
        100 * byTiers,
        100 * byRules,
        innocents);
    assertThat(byTiers).isGreaterThanOrEqualTo(byRules - 0.03);
  }

  private static double recall(ReplayResult result, Predicate<SubjectRecord> found) {
    Predicate<SubjectRecord> judged =
        it -> it.label.equals(Labels.SCANNER) && it.requests >= ReplayResult.ENOUGH_REQUESTS;
    return (double) result.count(judged.and(found)) / result.count(judged);
  }

  @Test
  void theDiscountIsWhatSparesASiteWhosePagesVanished() throws IOException, URISyntaxException {
    AdaptivePolicy without = enforced().set(Setting.POPULAR_WEIGHT, 1).build();
    ReplayResult result = replay("vanished-pages-2005-2018", without);
    assertThat(result.precision().orElseThrow()).isLessThan(0.6);
    assertThat(result.peopleAboveNormal()).isPositive();
  }

  @Test
  void replayedTwiceItIsTheSame() throws IOException, URISyntaxException {
    Labels none = Labels.none();
    String first = json(replay("blog-2025-12", enforced().build()), none);
    String second = json(replay("blog-2025-12", enforced().build()), none);
    assertThat(second).isEqualTo(first).contains("unmatched");
  }

  private static String json(ReplayResult result, Labels labels)
      throws IOException, URISyntaxException {
    LogFiles files = new LogFiles(List.of(resource("blog-2025-12.log.gz")));
    return new com.fasterxml.jackson.databind.json.JsonMapper()
        .writeValueAsString(ReportData.of(List.of(result), labels, files));
  }
}
