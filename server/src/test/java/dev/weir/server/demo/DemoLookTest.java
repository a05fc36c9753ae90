package dev.weir.server.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

class DemoLookTest extends BrowserTest {

  /** Texts of the page whose contrast with what is behind them is below WCAG's AA. */
  private static final String PALE_TEXTS =
      """
      const canvas = document.createElement('canvas').getContext('2d',
        { willReadFrequently: true });
      const rgba = (color) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
        return canvas.getImageData(0, 0, 1, 1).data;
      };
      const light = (color) => [0.2126, 0.7152, 0.0722].reduce((sum, part, i) => {
        const c = color[i] / 255;
        return sum + part * (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
      }, 0);
      const behind = (element) => {
        const color = rgba(getComputedStyle(element).backgroundColor);
        return color[3] > 250 || !element.parentElement ? color : behind(element.parentElement);
      };
      const pale = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const text = walker.currentNode.textContent.trim();
        const element = walker.currentNode.parentElement;
        if (!text || !element.checkVisibility({ visibilityProperty: true })) continue;
        if (element.closest('.hidden, noscript')) continue;
        const style = getComputedStyle(element);
        const color = rgba(element.tagName === 'text' ? style.fill : style.color);
        const [a, b] = [light(color), light(behind(element))];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < (parseFloat(style.fontSize) >= 24 ? 3 : 4.5)) {
          pale.push(`${ratio.toFixed(2)} ${text}`);
        }
      }
      return pale;
      """;

  private static final String FOCUS_IS_VISIBLE =
      """
      const active = document.activeElement;
      return [active, active.nextElementSibling].some((element) => element &&
        getComputedStyle(element).outlineStyle !== 'none' &&
        parseFloat(getComputedStyle(element).outlineWidth) >= 2);
      """;

  private static final String PANEL_PLACES =
      """
      return [...document.querySelectorAll('.panel')].map((panel) => {
        const box = panel.getBoundingClientRect();
        return [box.left, box.top + scrollY, box.width, box.height].map(Math.round).join();
      });
      """;

  private static final String IS_TOO_WIDE =
      "const root = document.documentElement; return root.scrollWidth > root.clientWidth;";

  @Test
  void everythingCanBeDoneByKeyboard() {
    DemoPage page = open();
    page.tabTo("token-bucket");
    browser().driver().switchTo().activeElement().sendKeys(Keys.ARROW_DOWN);
    page.awaitCode("FixedWindow.of(10");
    page.tabTo("parameter-limit");
    browser().driver().switchTo().activeElement().sendKeys(Keys.chord(Keys.CONTROL, "a"), "5");
    page.awaitCode("FixedWindow.of(5");
    page.tabTo("send-one");
    browser().driver().switchTo().activeElement().sendKeys(Keys.ENTER);
    page.awaitText("count-allowed", "1");
    page.tabTo("send-burst");
    browser().driver().switchTo().activeElement().sendKeys(Keys.SPACE);
    page.awaitText("count-allowed", "5");
    page.tabTo("burst-then-wait");
    browser().driver().switchTo().activeElement().sendKeys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT);
    page.tabTo("run-scenario");
    browser().driver().switchTo().activeElement().sendKeys(Keys.ENTER);
    page.awaitText("seen-title", "Seen");
    assertThat(page.text("seen")).startsWith("The busy client: 5 allowed");
    page.tabTo("summary");
    browser().driver().switchTo().activeElement().sendKeys(Keys.ENTER);
    browser().await(driver -> page.has("#answers [open] dl"));
  }

  @Test
  void theFocusIsVisibleAndGoesInTheOrderOfThePage() {
    DemoPage page = open();
    List<String> order = new ArrayList<>();
    WebElement body = page.elements("body").get(0);
    body.sendKeys(Keys.TAB);
    while (!page.focused().equals("body") && order.size() < 40) {
      assertThat(browser().run(FOCUS_IS_VISIBLE)).as(page.focused()).isEqualTo(true);
      order.add(page.focused());
      browser().driver().switchTo().activeElement().sendKeys(Keys.TAB);
      if (page.focused().equals("a")) {
        break;
      }
    }
    assertThat(order)
        .containsSubsequence("a", "console-link", "theme", "token-bucket", "parameter-capacity")
        .containsSubsequence("parameter-refillPeriod", "interval", "key", "cost", "reset-key")
        .containsSubsequence("reset-key", "send-one", "send-burst", "burst-size", "stream", "pace")
        .containsSubsequence("pace-fast", "burst-then-wait", "run-scenario", "memory", "copy");
  }

  @Test
  void theSkipLinkLeadsToTheRequests() {
    DemoPage page = open();
    page.elements("body").get(0).sendKeys(Keys.TAB);
    browser().driver().switchTo().activeElement().sendKeys(Keys.ENTER);
    browser().await(driver -> page.focused().equals("requests"));
    page.tabTo("key");
  }

  @Test
  void everyControlHasAName() {
    DemoPage page = open();
    page.click("send-one");
    page.awaitText("count-allowed", "1");
    List<WebElement> controls =
        page.elements(":is(button, input, summary, [role=region], [role=img]):not([hidden] *)");
    assertThat(controls.size()).isGreaterThan(25);
    for (WebElement control : controls) {
      assertThat(control.getAccessibleName()).as(control.getDomAttribute("id")).isNotBlank();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void textIsReadableInLightAndDark(String theme) throws IOException {
    browser().prefer("prefers-color-scheme", theme);
    DemoPage page = open();
    page.click("send-burst");
    page.awaitText("count-denied", "5");
    page.elements("#answers summary").get(0).click();
    browser().await(driver -> page.has("#answers dl"));
    browser().await(driver -> page.elements("#drawing text").size() > 2);
    assertThat(browser().run(PALE_TEXTS)).as("texts of low contrast").isEqualTo(List.of());
    assertThat(darkness(page)).isEqualTo(theme.equals("dark"));
    page.elements("#answers summary").get(0).click();
    browser().screenshot(theme);
  }

  @Test
  void theThemeCanBeChosenAndIsRemembered() {
    DemoPage page = open();
    assertThat(darkness(page)).isFalse();
    page.click("theme");
    assertThat(darkness(page)).isTrue();
    assertThat(page.element("theme").getDomAttribute("aria-pressed")).isEqualTo("true");
    page = open();
    assertThat(darkness(page)).isTrue();
    page.click("theme");
    assertThat(darkness(page)).isFalse();
    browser().run("localStorage.clear()");
  }

  @Test
  void nothingIsWiderThanANarrowScreen() throws IOException {
    browser().resize(360, 740);
    DemoPage page = open();
    for (String word :
        List.of(
            "fixed-window",
            "sliding-window-log",
            "sliding-window-counter",
            "leaky-bucket",
            "token-bucket")) {
      page.chooseAlgorithm(word, "");
      page.click("send-burst");
      browser().await(driver -> page.text("live").startsWith("Burst of 15"));
      assertThat(browser().run(IS_TOO_WIDE)).as(word).isEqualTo(false);
    }
    page.elements("#answers summary").get(0).click();
    browser().await(driver -> page.has("#answers dl"));
    assertThat(browser().run(IS_TOO_WIDE)).isEqualTo(false);
    browser().run("scrollTo(0, document.getElementById('stage').offsetTop - 8)");
    browser().screenshot("narrow");
    long height = (Long) browser().run("return document.documentElement.scrollHeight");
    browser().resize(360, (int) height);
    browser().screenshot("narrow-whole");
  }

  @Test
  void nothingMovesWhenAnswersAndMessagesCome() {
    expectComplaint("status of 400");
    DemoPage page = open();
    Object places = browser().run(PANEL_PLACES);
    page.click("send-burst");
    page.awaitText("count-denied", "5");
    page.type("parameter-capacity", "0");
    page.awaitText("applied", "Not applied");
    assertThat(browser().run(PANEL_PLACES)).isEqualTo(places);
    page.type("parameter-capacity", "10");
    page.awaitText("applied", "Applied");
    page.runScenario("costly-request");
    service().changePolicy(DemoService.SLOW_LIMIT);
    page.awaitShown("notice", true);
    assertThat(browser().run(PANEL_PLACES)).isEqualTo(places);
  }

  @Test
  void theNumbersGoOnWithLessMotion() {
    browser().prefer("prefers-reduced-motion", "reduce");
    DemoPage page = open();
    assertThat(page.element("send-one").getCssValue("transition-duration")).isEqualTo("0s");
    page.click("send-burst");
    page.awaitMatch("next", "in 0\\.\\d s");
    page.awaitText("next", "now");
  }

  @Test
  void showsTheWholePage() throws IOException {
    DemoPage page = open();
    page.click("send-burst");
    page.awaitText("count-denied", "5");
    page.click("stream");
    page.awaitMatch("count-allowed", "1[3-9]");
    long height = (Long) browser().run("return document.documentElement.scrollHeight");
    browser().resize(1280, (int) height);
    browser().screenshot("whole");
    page.click("stream");
  }

  private static boolean darkness(DemoPage page) {
    String color = page.elements("body").get(0).getCssValue("background-color");
    return color.equals("rgba(14, 19, 22, 1)");
  }
}
