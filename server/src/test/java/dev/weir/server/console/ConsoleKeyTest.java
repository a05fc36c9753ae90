package dev.weir.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.RunningServer;
import dev.weir.server.demo.Browser;
import dev.weir.server.security.ApiKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The console of a service with keys, and of one that is gone. */
@Timeout(120)
class ConsoleKeyTest {

  private Browser browser;

  @BeforeEach
  void start() throws IOException {
    browser = Browser.start();
  }

  @AfterEach
  void stop() throws IOException {
    browser.close();
  }

  private WebElement one(String selector) {
    return browser.driver().findElement(By.cssSelector(selector));
  }

  private void await(String selector, String part) {
    browser.await(
        driver ->
            Objects.requireNonNull(one(selector).getDomProperty("textContent")).contains(part));
  }

  @Test
  void aKeyIsAskedForAndSaysWhatItsHolderMayDo(@TempDir Path folder) throws IOException {
    String read = ApiKey.random();
    Path keys = folder.resolve("keys.yaml");
    Files.writeString(
        keys,
        "apiKeys:\n  - {name: viewer, role: read, hash: \"%s\"}\n".formatted(ApiKey.hashOf(read)));
    try (RunningServer server = RunningServer.with(null, keys)) {
      browser.driver().get("http://localhost:%d/console#/policies".formatted(server.port()));
      browser.await(driver -> one("#key-dialog").isDisplayed());
      one("#api-key").sendKeys("weir_wrong", Keys.ENTER);
      await("#key-problem", "not known here");
      one("#api-key").clear();
      one("#api-key").sendKeys(read, Keys.ENTER);
      await("#status-text", "viewer (read)");
      browser.await(driver -> !one("#key-dialog").isDisplayed());
      await("#running", "demo");
      assertThat(one("#check").isDisplayed()).isTrue();
      assertThat(one("#apply").isDisplayed()).isFalse();
      browser.driver().get("http://localhost:%d/".formatted(server.port()));
      browser.driver().get("http://localhost:%d/console/#/live".formatted(server.port()));
      await(".tiles", "in memory");
    }
    await("#status-text", "The service does not answer.");
    await("main [role=alert]", "The service does not answer.");
  }
}
