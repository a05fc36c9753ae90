package dev.weir.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimitPolicy;
import dev.weir.TokenBucket;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Traffic that rules with steps take for abuse. The tier must refuse none of it. */
class OrdinaryTrafficTest {

  private static final long START = 1_700_000_000_000_000L;
  private static final long SECOND = 1_000_000;
  private static final String BROWSER = "Mozilla/5.0 (X11; Linux x86_64)";

  private final AdaptivePolicy policy =
      AdaptivePolicy.builder().mode(AdaptivePolicy.Mode.ENFORCE).build();
  private final AdaptiveAlgorithm algorithm =
      new AdaptiveAlgorithm(
          RateLimitPolicy.of("api", TokenBucket.smooth(600, 600, Duration.ofMinutes(1))), policy);
  private final CallReader reader = new CallReader(policy);
  private final PopularMissing popular = new PopularMissing(policy);
  private AdaptiveState state = AdaptiveState.FRESH;
  private int refusedByTier;
  private Tier highest = Tier.NORMAL;

  private void ask(String path, int status, String agent, @Nullable String user, long now) {
    ask("GET", path, status, agent, user, now, 42);
  }

  private void ask(
      String method,
      String path,
      int status,
      String agent,
      @Nullable String user,
      long now,
      int subject) {
    CallReader.Read read = reader.read(method, path, null, false, agent, user, null, 1);
    AdaptiveAlgorithm.Step step =
        algorithm.decide(state, read.call(), 1, Treatment.JUDGED, now, subject);
    AdaptiveVerdict verdict = step.verdict();
    state = step.state();
    refusedByTier += verdict.refusedByTierAlone() ? 1 : 0;
    highest = verdict.tier().level() > highest.level() ? verdict.tier() : highest;
    if (verdict.allowed()) {
      boolean isPopular = read.isMissing(status) && popular.note(read.popularPath(), subject, true);
      state = algorithm.outcome(state, read.outcome(status, isPopular), now, subject);
    }
  }

  private void assertUndisturbed() {
    assertThat(refusedByTier).isZero();
    assertThat(highest).isEqualTo(Tier.NORMAL);
  }

  @Test
  void aHealthCheckEveryTenSecondsForADay() {
    for (int i = 0; i < 8_640; i++) {
      ask("/health", 200, "", null, START + 10L * i * SECOND);
    }
    assertUndisturbed();
  }

  @Test
  void anUnknownCheckEverySecondForAnHour() {
    for (int i = 0; i < 3_600; i++) {
      ask("/api/state", 200, "checker/1.0", null, START + i * SECOND);
    }
    assertUndisturbed();
  }

  @Test
  void aPageOfSixtyFilesSomeOfThemMissing() {
    for (int page = 0; page < 10; page++) {
      long now = START + 20L * page * SECOND;
      ask("/page/" + page, 200, BROWSER, null, now);
      for (int i = 0; i < 60; i++) {
        ask("/static/" + page + "/" + i + ".js", i % 3 == 0 ? 404 : 200, BROWSER, null, now);
      }
    }
    assertUndisturbed();
  }

  @Test
  void fortyPeopleOnOneAddress() {
    for (int i = 0; i < 2_000; i++) {
      String user = "user" + i % 40;
      // Everybody meets the same five broken links.
      int page = i % 50 == 0 ? i / 50 % 5 : 5 + i % 97;
      ask("/article/a" + page, page < 5 ? 404 : 200, BROWSER + i % 7, user, START + i * SECOND / 5);
    }
    assertThat(refusedByTier).isZero();
    assertThat(highest).isIn(Tier.NORMAL, Tier.ELEVATED);
  }

  @Test
  void retriesAfterOurOwnFailure() {
    for (int i = 0; i < 600; i++) {
      ask("POST", "/api/orders", 503, "client/2.0", "shop", START + i * SECOND / 5, 42);
    }
    assertUndisturbed();
  }

  @Test
  void aFirstBurstOfAllThatTheLimitAllows() {
    for (int i = 0; i < 600; i++) {
      ask("/api/items/" + i, 200, "client/2.0", "shop", START + 1_000L * i);
    }
    assertUndisturbed();
  }

  @Test
  void anApiClientAtNineTenthsOfItsLimit() {
    for (int i = 0; i < 9 * 60 * 20; i++) {
      ask("/api/items/" + i % 500, 200, "client/2.0", "shop", START + i * SECOND / 9);
    }
    assertUndisturbed();
  }

  @Test
  void pagesThatHaveVanishedForEverybody() {
    for (int visitor = 0; visitor < 120; visitor++) {
      state = AdaptiveState.FRESH;
      long now = START + 3_600L * visitor * SECOND;
      // The first ones meet three pages, later ones the whole old site.
      int pages = visitor < 60 ? 3 : 20;
      for (int i = 0; i < pages; i++) {
        int page = visitor < 60 ? (visitor * 3 + i) % 20 : i;
        ask("GET", "/old/p" + page + ".html", 404, BROWSER, null, now + i * SECOND, 100 + visitor);
      }
    }
    assertUndisturbed();
  }

  @Test
  void aScannerIsRefused() {
    for (int i = 0; i < 100; i++) {
      ask("/probe" + i + ".php", 404, BROWSER, null, START + i * SECOND);
    }
    assertThat(highest).isEqualTo(Tier.BLOCKED);
    assertThat(refusedByTier).isGreaterThan(50);
  }

  @Test
  void aHammeringClientIsSlowedAndNotBlocked() {
    for (int i = 0; i < 6_000; i++) {
      ask("/api/search", 200, "client/2.0", null, START + i * SECOND / 50);
    }
    assertThat(highest).isIn(Tier.ELEVATED, Tier.SUSPICIOUS);
    assertThat(refusedByTier).isPositive();
  }

  @Test
  void inShadowTheVerdictIsToldAndChangesNothing() {
    AdaptiveAlgorithm shadow =
        new AdaptiveAlgorithm(
            RateLimitPolicy.of("api", TokenBucket.smooth(600, 600, Duration.ofMinutes(1))),
            AdaptivePolicy.standard());
    AdaptiveState watched = AdaptiveState.FRESH;
    int told = 0;
    for (int i = 0; i < 100; i++) {
      long now = START + i * SECOND;
      CallReader.Read read =
          reader.read("GET", "/probe" + i + ".php", null, false, BROWSER, null, null, 1);
      AdaptiveAlgorithm.Step step =
          shadow.decide(watched, read.call(), 1, Treatment.JUDGED, now, 42);
      AdaptiveVerdict verdict = step.verdict();
      assertThat(verdict.allowed()).isTrue();
      told += verdict.refusedByTierAlone() ? 1 : 0;
      watched = shadow.outcome(step.state(), read.outcome(404, false), now, 42);
    }
    assertThat(told).isGreaterThan(50);
  }
}
