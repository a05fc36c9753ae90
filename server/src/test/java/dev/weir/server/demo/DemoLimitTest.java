package dev.weir.server.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoLimitTest extends BrowserTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          token-bucket           | interval     | TokenBucket.interval(10, 1, Duration.ofSeconds(1))
          token-bucket           | smooth       | TokenBucket.smooth(10, 1, Duration.ofSeconds(1))
          fixed-window           | first-charge | FixedWindow.of(10, Duration.ofSeconds(10))
          fixed-window           | clock        | FixedWindow.alignedToClock(10, Duration
          sliding-window-log     | ''           | SlidingWindowLog.of(10, Duration.ofSeconds(10))
          sliding-window-counter | ''           | SlidingWindowCounter.of(10, Duration.ofSeconds
          leaky-bucket           | policing     | LeakyBucket.policing(10, 1, Duration.ofSeconds
          leaky-bucket           | shaping      | LeakyBucket.shaping(10, 1, Duration.ofSeconds(1))
          """)
  void everyAlgorithmCanBeChosenAndItsCodeCompiles(String word, String variant, String code)
      throws IOException {
    DemoPage page = open();
    page.chooseAlgorithm(word, variant);
    page.awaitCode(code);
    assertThat(service().policies()).contains('"' + word + '"', variant);
    page.click("send-one");
    page.awaitText("left", "9");
    page.type("burst-size", "6");
    page.click("send-burst");
    page.awaitText("count-allowed", "7");
    browser().run("scrollTo(0, 0)");
    browser().screenshot("algorithm-" + word + (variant.isEmpty() ? "" : "-" + variant));
    assertThat(page.elements("#drawing > *")).isNotEmpty();
    String inMemory = page.text("code");
    page.choose("redis");
    page.awaitCode("LettuceRateLimiter.create(redisClient");
    assertThat(ShownCode.problems(inMemory, page.text("code"))).isEmpty();
  }

  @Test
  void theCodeHoldsForAnyKeyCostAndDuration() throws IOException {
    DemoPage page = open();
    page.type("key", "a \"b\" \\u0041 \u00fc {x}");
    page.type("cost", "3");
    page.type("parameter-refillPeriod", "1h30m");
    page.type("parameter-capacity", "100000");
    page.awaitCode("TokenBucket.interval(100_000, 1, Duration.ofMinutes(90))");
    page.awaitCode(", 3);");
    assertThat(ShownCode.problems(page.text("code"))).isEmpty();
  }

  @Test
  void parametersAreAppliedAsTheyAreTyped() {
    DemoPage page = open();
    page.type("parameter-capacity", "25");
    page.awaitCode("TokenBucket.interval(25, 1");
    page.awaitText("left-of", "of 25");
    assertThat(service().policies()).contains("\"capacity\":25");
  }

  @ParameterizedTest
  @CsvSource({
    "parameter-capacity, 0, '.*from 1 to 1000000000, and was 0'",
    "parameter-capacity, '1.5', '.*whole number.*'",
    "parameter-refillTokens, many, '.*whole number.*many.*'",
    "parameter-refillPeriod, 1 week, '.*1 week. is not a duration.*'",
    "parameter-refillPeriod, 20000d, '.*3653 days.*'",
  })
  void aWrongParameterShowsTheServicesMessageAtItsField(
      String field, String typed, String pattern) {
    expectComplaint("status of 400");
    DemoPage page = open();
    String before = service().policies();
    page.type(field, typed);
    page.awaitMatch(field + "-hint", pattern);
    page.awaitText("applied", "Not applied");
    assertThat(page.element(field).getDomAttribute("aria-invalid")).isEqualTo("true");
    assertThat(page.element(field).getDomAttribute("aria-describedby")).isEqualTo(field + "-hint");
    assertThat(service().policies()).isEqualTo(before);
    page.type(field, field.endsWith("Period") ? "2s" : "2");
    page.awaitText("applied", "Applied");
    assertThat(page.element(field).getDomAttribute("aria-invalid")).isNull();
  }

  @Test
  void aChangeOutsideTheTabIsShownAndCanBePutBack() {
    DemoPage page = open();
    service().changePolicy("{\"algorithm\":\"sliding-window-log\",\"limit\":3,\"window\":\"30s\"}");
    page.awaitText(
        "notice-text", "The policy was changed outside this tab: sliding window log of 3 in 30 s.");
    page.awaitCode("SlidingWindowLog.of(3, Duration.ofSeconds(30))");
    page.awaitText("left-of", "of 3");
    assertThat(page.value("parameter-window")).isEqualTo("30s");
    page.click("notice-undo");
    page.awaitShown("notice", false);
    page.awaitCode("TokenBucket.interval(10, 1");
    assertThat(service().policies()).contains("token-bucket");
  }

  @Test
  void aPolicyOfSeveralLimitsIsToldAndRequestsGoOn() {
    DemoPage page = open();
    service()
        .changePolicy(DemoService.SLOW_LIMIT + "," + DemoService.SLOW_LIMIT.replace("10", "20"));
    page.awaitMatch("notice-text", "The policy demo has 2 limits now.*");
    page.click("send-one");
    page.awaitText("count-allowed", "1");
    page.click("notice-undo");
    page.awaitShown("notice", false);
    assertThat(service().policies()).doesNotContain("1h");
  }
}
