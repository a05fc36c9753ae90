package dev.weir.server.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.RunningServer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

/** The demo page in a real browser against the real service. */
@SuppressWarnings("NullAway.Init")
class DemoPageTest {

  private static final String DEMO =
      "{\"algorithm\":\"token-bucket\",\"capacity\":10,\"refillTokens\":1,"
          + "\"refillPeriod\":\"1s\",\"refill\":\"interval\"}";

  private static RunningServer server;
  private static Browser browser;

  @BeforeAll
  static void start() {
    server = RunningServer.inMemory();
    browser = new Browser();
  }

  @AfterAll
  static void stop() {
    browser.close();
    server.close();
  }

  @BeforeEach
  void open() {
    server.client().put("demo", DEMO);
    browser.open(server.port());
    browser.await("the form", () -> browser.text("applied").equals("Applied"));
    browser.errors();
  }

  private static void noErrors() {
    assertThat(browser.errors()).isEmpty();
  }

  @Test
  void oneRequestIsShownWithItsHeaders() {
    browser.picture("empty");
    browser.click("send-one");
    browser.await("the answer", () -> browser.all("#answers li").size() == 1);
    browser.all("#answers summary").get(0).click();
    String answer = browser.all("#answers li").get(0).getText();
    assertThat(answer).contains("200 Allowed", "9 left", "RateLimit-Policy", "X-RateLimit-Limit");
    assertThat(browser.count("count-allowed")).isEqualTo(1);
    noErrors();
  }

  @Test
  void aBurstGetsWhatTheLimitHoldsAndTheNextPermitIsCountedDown() {
    browser.click("send-burst");
    browser.await("15 answers", () -> browser.all("#answers li").size() == 15);
    assertThat(browser.count("count-allowed")).isEqualTo(10);
    assertThat(browser.count("count-denied")).isEqualTo(5);
    browser.await("a countdown", () -> browser.text("next").matches(".*\\d.*s"));
    browser.picture("burst-light");
    browser.await("a token back", () -> !browser.text("left").equals("0"));
    noErrors();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "token-bucket",
        "fixed-window",
        "sliding-window-log",
        "sliding-window-counter",
        "leaky-bucket"
      })
  void everyAlgorithmCanBeChosenAndItsCodeCompiles(String algorithm) {
    browser.choose("algorithm", algorithm);
    browser.await(
        "the policy",
        () ->
            server
                .client()
                .send("GET", "/v1/policies/demo", "")
                .response()
                .body()
                .contains("\"" + algorithm + "\""));
    browser.click("send-burst");
    browser.await("15 answers", () -> browser.all("#answers li").size() == 15);
    assertThat(browser.count("count-denied")).isPositive();
    for (String store : List.of("memory", "redis")) {
      browser.choose("store", store);
      ShownCode.compiles(browser.text("code"), store.equals("redis"));
    }
    browser.picture(algorithm);
    noErrors();
  }

  @Test
  void aParameterOutOfRangeIsSaidAtItsFieldAndChangesNothing() {
    browser.type("parameter-capacity", "0");
    browser.await("the problem", () -> browser.text("applied").equals("Not applied"));
    assertThat(browser.text("parameter-capacity-hint"))
        .startsWith("must be a whole number from 1 to 1000000000, and was 0");
    assertThat(server.client().send("GET", "/v1/policies/demo", "").response().body())
        .contains("\"capacity\":10");
    browser.picture("problem");
    browser.type("parameter-capacity", "4");
    browser.await("applied", () -> browser.text("applied").equals("Applied"));
    browser.click("send-burst");
    browser.await("15 answers", () -> browser.all("#answers li").size() == 15);
    assertThat(browser.count("count-allowed")).isEqualTo(4);
  }

  @Test
  void everyScenarioRunsAndSaysWhatWasSeen() {
    Set<String> seen = new HashSet<>();
    int scenarios = browser.all("input[name='scenario']").size();
    assertThat(scenarios).isEqualTo(4);
    for (int i = 0; i < scenarios; i++) {
      String value =
          String.valueOf(browser.all("input[name='scenario']").get(i).getDomProperty("value"));
      browser.choose("scenario", value);
      assertThat(browser.text("look-for")).isNotBlank();
      browser.click("run-scenario");
      browser.await(
          "what was seen",
          () ->
              browser.text("seen-title").startsWith("Seen")
                  && browser.text("run-scenario").equals("Run"));
      assertThat(browser.text("seen")).isNotBlank();
      seen.add(browser.text("seen"));
    }
    assertThat(seen).hasSize(scenarios);
    browser.picture("scenario");
    noErrors();
  }

  @Test
  void aStreamFasterThanTheLimitIsPartlyDenied() {
    browser.type("parameter-refillPeriod", "100ms");
    browser.await("the pace", () -> browser.text("pace-text").contains("of the limit"));
    browser.click("pace-fast");
    browser.click("stream");
    browser.await("denials", () -> browser.count("count-denied") > 2);
    assertThat(browser.count("count-allowed")).isGreaterThan(9);
    browser.click("stream");
    browser.picture("stream");
    noErrors();
  }

  @Test
  void worksByKeyboardAlone() {
    browser.press(Keys.TAB);
    browser.press(Keys.ENTER);
    browser.await("the requests", () -> browser.focused().equals("requests"));
    Set<String> reached = new HashSet<>();
    for (int i = 0; i < 40 && !browser.focused().equals("send-one"); i++) {
      browser.press(Keys.TAB);
      reached.add(browser.focused());
    }
    assertThat(reached).contains("key", "cost", "send-one");
    browser.press(Keys.ENTER);
    browser.await("the answer", () -> browser.all("#answers li").size() == 1);
    assertThat(browser.script("return getComputedStyle(document.activeElement).outlineStyle"))
        .isNotEqualTo("none");
    assertThat(browser.text("live")).isNotBlank();
  }

  @Test
  void darkAndNarrowHaveNothingOutOfTheScreen() {
    browser.prefer("dark");
    browser.click("send-burst");
    browser.await("15 answers", () -> browser.all("#answers li").size() == 15);
    browser.picture("burst-dark");
    browser.narrow(360);
    browser.await(
        "no horizontal scroll",
        () ->
            browser
                .script("return document.documentElement.scrollWidth <= window.innerWidth")
                .equals("true"));
    assertThat(browser.script("return window.innerWidth")).isEqualTo("360");
    browser.picture("narrow");
    browser.close();
    browser = new Browser();
  }

  @Test
  void aServiceThatIsGoneIsSaidAndFoundAgain() {
    RunningServer own = RunningServer.inMemory();
    int port = own.port();
    browser.open(port);
    own.close();
    browser.click("send-one");
    browser.await("the outage", () -> browser.byId("outage").isDisplayed());
    assertThat(browser.text("outage")).contains("./weir serve");
    browser.picture("outage");
    try (RunningServer again = RunningServer.onPort(port)) {
      browser.await("recovery", () -> !browser.byId("outage").isDisplayed());
      browser.click("send-one");
      browser.await("an answer", () -> !browser.all("#answers li").isEmpty());
      assertThat(again.port()).isEqualTo(port);
    }
  }
}
