package dev.weir.server.demo;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebDriver;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.ExpectedCondition;
import org.openqa.selenium.support.ui.WebDriverWait;

/** A headless Chromium with a profile of its own. */
public final class Browser implements AutoCloseable {

  private static final File CHROMIUM = new File("/usr/bin/chromium");
  private static final File DRIVER = new File("/usr/bin/chromedriver");
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Path SCREENSHOTS = Path.of("target", "screenshots");

  /** Selenium warns that it has no events for this version of the browser; none are used. */
  private static final Logger SELENIUM = Logger.getLogger("org.openqa.selenium");

  private final Path profile;
  private final ChromeDriver driver;

  private Browser(Path profile, ChromeDriver driver) {
    this.profile = profile;
    this.driver = driver;
  }

  public static Browser start() throws IOException {
    SELENIUM.setLevel(Level.SEVERE);
    Path profile = Files.createTempDirectory("weir-chromium");
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(CHROMIUM);
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
        "--user-data-dir=" + profile);
    options.setCapability("goog:loggingPrefs", logs);
    ChromeDriverService service =
        new ChromeDriverService.Builder().usingDriverExecutable(DRIVER).usingAnyFreePort().build();
    return new Browser(profile, new ChromeDriver(service, options));
  }

  public WebDriver driver() {
    return driver;
  }

  /** Makes the page's area that large; also smaller than a window of the desktop can be. */
  public void resize(int width, int height) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  /** Pretends that the system asks for something: {@code prefers-color-scheme}, {@code dark}. */
  public void prefer(String feature, String value) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", feature, "value", value))));
  }

  public <T> T await(ExpectedCondition<T> condition) {
    return new WebDriverWait(driver, PATIENCE, Duration.ofMillis(20)).until(condition);
  }

  public Object run(String script, Object... arguments) {
    return driver.executeScript(script, arguments);
  }

  /** Runs the body of an asynchronous function and answers what it returns. */
  public Object runAsync(String body, Object... arguments) {
    String script =
        "const done = arguments[arguments.length - 1];"
            + "(async (...given) => {"
            + body
            + "})(...arguments).then(done, (e) => done('failed: ' + e.stack));";
    return driver.executeAsyncScript(script, arguments);
  }

  /** What the page and the browser complained of since the last call. */
  public List<String> complaints() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
        .map(LogEntry::getMessage)
        .toList();
  }

  void screenshot(String name) throws IOException {
    Files.createDirectories(SCREENSHOTS);
    Files.write(SCREENSHOTS.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
  }

  @Override
  public void close() throws IOException {
    driver.quit();
    try (Stream<Path> files = Files.walk(profile)) {
      files.sorted(Comparator.reverseOrder()).forEach(Browser::delete);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
