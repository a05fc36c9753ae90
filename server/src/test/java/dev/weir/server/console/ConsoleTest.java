package dev.weir.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.RunningServer;
import dev.weir.server.TestClient;
import dev.weir.server.demo.Browser;
import dev.weir.testkit.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.TakesScreenshot;
import org.openqa.selenium.WebElement;

/**
 * Half an hour of a shop, looked at through the console. The pictures are those of the documents.
 */
@Timeout(120)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ConsoleTest {

  private static final Path IMAGES = Path.of("..", "docs", "images");
  private static final String POLICIES =
      """
      policies:
        - name: sign-in
          match: {method: POST, route: /login}
          key: address
          limits: [{name: few, algorithm: sliding-window-log, limit: 5, window: 1m}]
        - name: api
          match: {route: /api/**}
          limits: [{name: steady, algorithm: token-bucket, capacity: 20, refillTokens: 1,
            refillPeriod: 1s}, {name: hourly, algorithm: fixed-window, limit: 600, window: 1h}]
          adaptive: {mode: enforce}
      """;
  private static final String SCANNER = "address:203.0.113.66";

  private static ManualClock clock;
  private static RunningServer server;
  private static Browser browser;

  @BeforeAll
  static void start() throws IOException {
    clock = new ManualClock();
    server = RunningServer.wholly(clock);
    post("/v1/admin/draft/apply", Map.of("text", POLICIES, "version", 0, "note", "the shop"));
    for (int step = 0; step < 170; step++) {
      shop(step);
      clock.advance(Duration.ofSeconds(10));
    }
    browser = Browser.start();
  }

  /**
   * Ten seconds of a shop: people, a client that hammers for a while, one that guesses, a scanner.
   */
  private static void shop(int step) {
    for (int i = 0; i < 4 + 3 * Math.sin(step / 14.0); i++) {
      decide("GET", "/api/items/" + i, "user", "customer-" + (step * 7 + i * 3) % 40);
    }
    for (int i = 0; step > 40 && step < 80 && i < 12; i++) {
      decide("GET", "/api/stock", "user", "importer");
    }
    for (int i = 0; step > 90 && step < 130 && i < 3; i++) {
      decide("POST", "/login", "address", "198.51.100.23");
    }
    if (step > 150) {
      String path = "/api/.env." + step;
      decide("GET", path, "address", "203.0.113.66");
      post("/v1/report", Map.of("path", path, "address", "203.0.113.66", "status", 404));
    }
  }

  private static void decide(String method, String path, String what, String who) {
    post("/v1/decide", Map.of("method", method, "path", path, what, who));
  }

  private static void post(String path, Map<String, ?> body) {
    int status = server.client().send("POST", path, TestClient.json(body)).response().statusCode();
    assertThat(status).isIn(200, 202, 429);
  }

  @AfterAll
  static void stop() throws IOException {
    browser.close();
    server.close();
  }

  @BeforeEach
  void setUp() {
    browser.resize(1280, 900);
    browser.prefer("prefers-color-scheme", "light");
  }

  @AfterEach
  void theConsoleIsQuiet() {
    assertThat(browser.complaints()).isEmpty();
  }

  private static void open(String page) {
    browser.driver().get("about:blank");
    browser.driver().get("http://localhost:%d/console/#/%s".formatted(server.port(), page));
    browser.await(driver -> !all("#page[data-state=drawn]").isEmpty());
  }

  private static List<WebElement> all(String selector) {
    return browser.driver().findElements(By.cssSelector(selector));
  }

  private static WebElement one(String selector) {
    return browser.driver().findElement(By.cssSelector(selector));
  }

  private static String text(String selector) {
    return Objects.requireNonNull(one(selector).getDomProperty("textContent"));
  }

  private static void await(String selector, String part) {
    browser.await(driver -> !all(selector).isEmpty() && text(selector).contains(part));
  }

  private static void picture(String name) throws IOException {
    byte[] png = ((TakesScreenshot) browser.driver()).getScreenshotAs(OutputType.BYTES);
    Files.createDirectories(IMAGES);
    Files.write(IMAGES.resolve("console-" + name + ".png"), png);
  }

  @Test
  @Order(1)
  void liveShowsHalfAnHour() throws IOException {
    open("live");
    assertThat(text(".tiles")).contains("Requests", "Limited", "in memory");
    assertThat(one("#traffic").getDomAttribute("aria-label"))
        .matches("In the last 30 minutes: \\d+ allowed, \\d+ limited, \\d+ blocked.")
        .doesNotContain(" 0 limited");
    await("main", SCANNER);
    await("main", "asks for");
    picture("live");
    one("#live-policy").sendKeys("sign-in");
    browser.await(
        driver ->
            Objects.requireNonNull(one("#traffic").getDomAttribute("aria-label"))
                .contains("0 blocked"));
    browser.prefer("prefers-color-scheme", "dark");
    one("#live-policy").sendKeys(Keys.HOME);
    browser.run("document.activeElement.blur();");
    picture("live-dark");
  }

  @Test
  @Order(2)
  void aSubjectIsFoundByTheKeyboardAlone() {
    open("subjects");
    one("#search").sendKeys("customer-1");
    browser.await(driver -> all("#found tbody tr").size() == 11);
    one("#search").sendKeys(Keys.TAB, Keys.TAB);
    browser.driver().switchTo().activeElement().sendKeys(Keys.ENTER);
    await("h1", "user:customer-1");
    await("#states", "left");
    assertThat(text("#states")).contains("steady", "hourly", "token-bucket");
  }

  @Test
  @Order(3)
  void whoeverIsLimitedIsExplainedAndCanBeDecidedAbout() throws IOException {
    for (int i = 0; i < 12; i++) {
      String subject = "/v1/admin/subject?limits=api&key=" + SCANNER;
      server.client().send("GET", subject, "");
      clock.advance(Duration.ofSeconds(5));
    }
    open("subjects");
    one("#view").sendKeys("Above normal");
    browser.await(driver -> all("#found tbody tr").size() == 1);
    all("#found a").get(0).click();
    await("#signals", "asks for");
    assertThat(text("#next")).contains("If it stays away it is");
    picture("subject");
    one("#reason").sendKeys("a scanner");
    one("form.decide button[type=submit]").click();
    await("#decided", "by local: a scanner");
    post("/v1/decide", Map.of("path", "/api/x", "address", "203.0.113.66"));
    open("subjects");
    await("#overrides", "a scanner");
    await("#trail", "block");
    assertThat(text("#found tbody tr")).contains(SCANNER, "suspicious");
    browser.resize(1280, 1250);
    picture("subjects");
    one("#overrides button").click();
    await("#overrides", "Nothing is decided by hand");
    await("#trail", "take back: block");
  }

  @Test
  @Order(4)
  void policiesAreCheckedComparedAndApplied() throws IOException {
    open("policies");
    assertThat(text("#running")).contains("sign-in", "api", "adaptive: enforce");
    draft(POLICIES.replace("limit: 5", "limit: none"));
    one("#check").click();
    await("#outcome", "must be a whole number from 1 to 1000000000, and was 'none'");
    all("#outcome button").get(0).click();
    assertThat(browser.driver().switchTo().activeElement().getDomAttribute("id"))
        .isEqualTo("draft");
    draft(POLICIES.replace("limit: 5", "limit: 2"));
    one("#compare").click();
    await("#outcome", "requests replayed");
    assertThat(text("#outcome")).contains("Refused by the draft");
    one("#differences").click();
    await("#outcome .added", "limit: 2");
    browser.resize(1280, 1120);
    browser.run("scrollTo(0, 0); document.activeElement.blur();");
    picture("policies");
    one("#note").sendKeys("fewer guesses");
    one("#apply").click();
    await("#outcome", "Version 2 runs here now");
    await("#versions", "fewer guesses");
    all("#versions tbody tr").get(1).findElements(By.tagName("button")).get(1).click();
    await("#outcome", "The policies are those of version 1 again, as version 3");
  }

  private static void draft(String text) {
    browser.run("document.querySelector('#draft').value = arguments[0];", text);
  }

  @Test
  @Order(5)
  void aSmallWindowHasNoScrollbarAcross() {
    browser.resize(390, 800);
    for (String page : List.of("live", "subjects", "policies")) {
      open(page);
      assertThat(browser.run("return document.documentElement.scrollWidth <= innerWidth;"))
          .as(page)
          .isEqualTo(true);
    }
  }
}
