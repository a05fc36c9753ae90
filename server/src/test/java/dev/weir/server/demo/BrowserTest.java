package dev.weir.server.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** One service and one browser for the tests of a class; every test starts with the page anew. */
@Timeout(60)
abstract class BrowserTest {

  /** A browser writes every answer of 400 and above to its console; denials are meant to be. */
  private static final String DENIAL = "status of 429";

  private static DemoService service;
  private static Browser browser;

  private final List<String> expectedComplaints = new ArrayList<>(List.of(DENIAL));

  @BeforeAll
  static void startAll() throws IOException {
    service = new DemoService();
    browser = Browser.start();
  }

  @AfterAll
  static void stopAll() throws IOException {
    browser.close();
    service.close();
  }

  @BeforeEach
  void setUp() {
    browser.resize(1280, 900);
    browser.prefer("prefers-color-scheme", "light");
    service.changePolicy(DemoService.DEFAULT_LIMIT);
  }

  @AfterEach
  void theConsoleIsQuiet() {
    assertThat(browser.complaints())
        .as("the console")
        .allMatch(line -> expectedComplaints.stream().anyMatch(line::contains));
  }

  DemoService service() {
    return service;
  }

  Browser browser() {
    return browser;
  }

  DemoPage open() {
    return DemoPage.open(browser, service.port());
  }

  /** Opens the page with a policy of that limit. */
  DemoPage open(String limit) {
    service.changePolicy(limit);
    return open();
  }

  /** Lets the console have lines with this text in the running test. */
  void expectComplaint(String part) {
    expectedComplaints.add(part);
  }
}
