package dev.weir.server.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

class DemoRequestsTest extends BrowserTest {

  @Test
  void saysWhatWillBeThereBeforeTheFirstRequest() {
    DemoPage page = open();
    assertThat(page.element("no-answers").isDisplayed()).isTrue();
    assertThat(page.element("no-traffic").isDisplayed()).isTrue();
    assertThat(page.text("left")).isEqualTo("10");
    assertThat(page.text("next")).isEqualTo("now");
    page.awaitText("status", "connected, in memory");
  }

  @Test
  void sendsOneRequestAndShowsItsAnswerWithHeaders() {
    DemoPage page = open(DemoService.SLOW_LIMIT);
    page.click("send-one");
    page.awaitText("left", "9");
    page.awaitText("live", "Allowed. 9 of 10 left.");
    assertThat(page.elements("#answers li")).hasSize(1);
    assertThat(page.element("no-answers").isDisplayed()).isFalse();

    page.elements("#answers summary").get(0).click();
    browser().await(driver -> page.has("#answers dl"));
    String shown = page.elements("#answers li").get(0).getText();
    assertThat(shown)
        .contains("200 Allowed", "9 left", "X-RateLimit-Remaining\n9", "RateLimit-Policy\n")
        .contains("POST /v1/acquire", "\"key\":\"" + page.value("key"))
        .contains("\"remaining\": 9");
  }

  @Test
  void aBurstShowsTenAllowedAndTheRestDenied() {
    DemoPage page = open(DemoService.SLOW_LIMIT);
    page.click("send-burst");
    page.awaitText("count-denied", "5");
    page.awaitText("count-allowed", "10");
    page.awaitText("left", "0");
    page.awaitMatch("next", "in 1 h|in 59 min 5\\d s");
    page.awaitText("live", "Burst of 15: 10 allowed, 5 denied.");
    assertThat(page.elements("#answers .verdict.denied")).hasSize(5);
    assertThat(page.elements("#answers .verdict.allowed")).hasSize(10);
    assertThat(page.element("no-traffic").isDisplayed()).isFalse();
    assertThat(page.element("chart").getDomAttribute("aria-label"))
        .isEqualTo("In the last 60 seconds: 10 allowed, 5 denied.");
  }

  @Test
  void countsDownToTheNextPermit() {
    DemoPage page = open();
    page.click("send-burst");
    page.awaitMatch("next", "in 0\\.\\d s");
    page.awaitText("next", "now");
    page.click("send-one");
    page.awaitMatch("live", "Allowed\\. .*");
  }

  @Test
  void aCostThatNeverFitsHasNoCountdown() {
    DemoPage page = open();
    page.type("cost", "11");
    page.awaitText("next", "never");
    page.click("send-one");
    page.awaitMatch("live", "Denied\\. It costs more than the limit can ever hold\\.");
    assertThat(page.elements("#answers summary").get(0).getText()).contains("never fits the limit");
  }

  @Test
  void showsTheServicesMessageAtTheCost() {
    expectComplaint("status of 400");
    DemoPage page = open();
    page.type("cost", "1000000001");
    page.awaitMatch("cost-problem", "Cost must be .* 1000000000, and was 1000000001");
    assertThat(page.element("cost").getDomAttribute("aria-invalid")).isEqualTo("true");
    page.type("cost", "2");
    page.awaitText("cost-problem", "");
  }

  @Test
  void aStreamRunsUntilItIsStopped() {
    DemoPage page = open();
    page.awaitMatch("pace-text", "2 per second, twice the limit");
    page.element("pace").sendKeys(Keys.END);
    page.awaitMatch("pace-text", "50 per second, 50 times the limit");
    page.click("stream");
    page.awaitText("stream", "Stop stream");
    page.awaitMatch("count-denied", "[1-9]\\d+");
    page.click("stream");
    page.awaitText("stream", "Start stream");
    page.click("pace-slow");
    page.awaitText("pace-text", "1 every 2 s, half the limit");
    page.click("pace-fast");
    page.awaitText("pace-text", "2 per second, twice the limit");
  }

  @Test
  void resettingTheKeyMakesItAsNew() {
    DemoPage page = open(DemoService.SLOW_LIMIT);
    page.click("send-burst");
    page.awaitText("left", "0");
    page.click("reset-key");
    page.awaitText("left", "10");
    page.awaitText("next", "now");
  }

  @Test
  void everyTabHasAKeyOfItsOwnAndAKeyCanBeTyped() {
    DemoPage page = open(DemoService.SLOW_LIMIT);
    String first = page.value("key");
    page.click("send-one");
    page.awaitText("left", "9");
    page = open();
    assertThat(page.value("key")).isNotEqualTo(first);
    assertThat(page.text("left")).isEqualTo("10");
    page.type("key", first);
    page.awaitText("left", "9");
    page.awaitText("stage-key", first);
  }
}
