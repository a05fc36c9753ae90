package dev.weir.server.demo;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The demo page as a reader uses it. */
final class DemoPage {

  private final Browser browser;

  private DemoPage(Browser browser) {
    this.browser = browser;
  }

  /** Opens the page and waits until it knows the policy. */
  static DemoPage open(Browser browser, int port) {
    browser.driver().get("http://localhost:%d/".formatted(port));
    DemoPage page = new DemoPage(browser);
    browser.await(driver -> page.has("html.is-ready") && page.text("left").matches("[\\d,]+"));
    return page;
  }

  WebElement element(String id) {
    return browser.driver().findElement(By.id(id));
  }

  List<WebElement> elements(String selector) {
    return browser.driver().findElements(By.cssSelector(selector));
  }

  boolean has(String selector) {
    return !elements(selector).isEmpty();
  }

  /** The text of an element as it is in the page, shown or not. */
  String text(String id) {
    return Objects.requireNonNull(element(id).getDomProperty("textContent")).strip();
  }

  /** What is typed in a field. */
  String value(String id) {
    return Objects.requireNonNull(element(id).getDomProperty("value"));
  }

  void click(String id) {
    element(id).click();
  }

  /** Replaces what is in a field by typing. */
  void type(String id, String text) {
    element(id).sendKeys(Keys.chord(Keys.CONTROL, "a"), text);
  }

  /** Chooses a radio button by its value. */
  void choose(String value) {
    browser.driver().findElement(By.cssSelector("input[value='" + value + "']")).click();
  }

  /** Chooses an algorithm and, unless it is empty, a variant, and waits until they are applied. */
  void chooseAlgorithm(String word, String variant) {
    choose(word);
    if (!variant.isEmpty()) {
      awaitCode(className(word));
      choose(variant);
    }
    awaitText("applied", "Applied");
    awaitCode(className(word));
  }

  void awaitText(String id, String expected) {
    browser.await(driver -> text(id).equals(expected));
  }

  void awaitMatch(String id, String pattern) {
    browser.await(driver -> text(id).matches(pattern));
  }

  void awaitCode(String part) {
    browser.await(driver -> text("code").contains(part));
  }

  void awaitShown(String id, boolean shown) {
    browser.await(driver -> element(id).isDisplayed() == shown);
  }

  /** Runs a scenario to its end and answers what it says was seen. */
  String runScenario(String id) {
    choose(id);
    awaitText("run-scenario", "Run");
    click("run-scenario");
    awaitText("seen-title", "Seen");
    return text("seen");
  }

  /** The id of the element that has the focus, or of a radio button its value. */
  String focused() {
    WebElement active = browser.driver().switchTo().activeElement();
    String id = active.getDomAttribute("id");
    String value = active.getDomAttribute("value");
    return id != null ? id : value != null ? value : active.getTagName();
  }

  /** Moves the focus with Tab until it is there; a page of so few controls needs no more steps. */
  void tabTo(String id) {
    for (int i = 0; i < 40; i++) {
      browser.driver().switchTo().activeElement().sendKeys(Keys.TAB);
      if (focused().equals(id)) {
        return;
      }
    }
    throw new AssertionError("Tab does not lead to " + id + "; it stays at " + focused());
  }

  private static String className(String word) {
    StringBuilder name = new StringBuilder();
    for (String part : word.split("-", -1)) {
      name.append(part.substring(0, 1).toUpperCase(Locale.ROOT)).append(part.substring(1));
    }
    return name.toString();
  }
}
