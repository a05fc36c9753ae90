package dev.weir.server.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DemoScenarioTest extends BrowserTest {

  @Test
  void burstThenWait() {
    DemoPage page = open();
    assertThat(page.text("look-for")).startsWith("A burst takes all there is");
    assertThat(page.runScenario("burst-then-wait"))
        .matches("1\\d of 15 allowed, \\d denied\\. After the stated wait of .* was allowed\\.");
  }

  @Test
  void aDoubleBurstPassesAFixedWindowButNotTheSlidingOnes() {
    DemoPage page = open();
    page.choose("double-burst");
    page.awaitText(
        "scenario-limit", "Changes the settings to a fixed window of 5 in 4 s, and runs.");
    assertThat(page.runScenario("double-burst"))
        .isEqualTo(
            "4 allowed just before the edge and 5 just after it: 9 within half a second,"
                + " though the limit is 5. A sliding window prevents it.");
    page.awaitCode("FixedWindow.of(5, Duration.ofSeconds(4))");

    page.choose("sliding-window-log");
    page.awaitCode("SlidingWindowLog");
    page.type("parameter-limit", "4");
    page.type("parameter-window", "2s");
    page.awaitCode("SlidingWindowLog.of(4, Duration.ofSeconds(2))");
    page.awaitText("scenario-limit", "Runs with the settings shown.");
    assertThat(page.runScenario("double-burst")).endsWith("so the limit of 4 holds.");

    page.choose("sliding-window-counter");
    page.awaitCode("SlidingWindowCounter");
    page.type("parameter-limit", "4");
    page.type("parameter-window", "2s");
    page.awaitCode("SlidingWindowCounter.of(4, Duration.ofSeconds(2))");
    assertThat(page.runScenario("double-burst")).endsWith("so the limit of 4 holds.");
  }

  @Test
  void twoClients() {
    DemoPage page = open(DemoService.SLOW_LIMIT);
    page.choose("two-clients");
    assertThat(page.runScenario("two-clients"))
        .isEqualTo(
            "The busy client: 10 allowed, 8 denied."
                + " The calm client, in between: 3 of 3 allowed.");
  }

  @Test
  void costlyRequest() {
    DemoPage page = open(DemoService.SLOW_LIMIT);
    assertThat(page.runScenario("costly-request"))
        .isEqualTo(
            "Cost 6: allowed, 4 left. Cost 6 again: denied. Cost 1: allowed, 3 left."
                + " Cost 11, more than the limit, can never pass, and has no Retry-After.");
  }

  @Test
  void aScenarioCanBeStopped() {
    DemoPage page = open();
    page.choose("double-burst");
    page.click("run-scenario");
    page.awaitText("run-scenario", "Stop");
    page.awaitText("count-allowed", "1");
    page.click("run-scenario");
    page.awaitText("seen-title", "Stopped");
    page.awaitText("run-scenario", "Run");
  }
}
