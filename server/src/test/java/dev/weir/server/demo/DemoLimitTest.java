package dev.weir.server.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoLimitTest extends BrowserTest {

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
  void aLimitThatThePageDoesNotKnowIsTold() {
    DemoPage page = open();
    service()
        .changePolicy(
            "{\"algorithm\":\"calendar-window\",\"limit\":3,"
                + "\"unit\":\"day\",\"zone\":\"UTC\"}");
    page.awaitMatch("notice-text", "The policy demo is a calendar-window now.*");
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
