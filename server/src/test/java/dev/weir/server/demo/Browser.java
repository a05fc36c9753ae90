package dev.weir.server.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

/** A real headless Chromium, with Debian's driver. */
final class Browser implements AutoCloseable {

  private static final Path SCREENSHOTS = Path.of("target", "screenshots");
  // Selenium looks for DevTools bindings of this very version, which nothing here uses.
  private static final Logger NOISE = Logger.getLogger("org.openqa.selenium.devtools");

  private static final Logger CHROMIUM_NOISE = Logger.getLogger("org.openqa.selenium.chromium");
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final ChromeDriver driver;

  Browser() {
    NOISE.setLevel(Level.OFF);
    CHROMIUM_NOISE.setLevel(Level.OFF);
    ChromeOptions options = new ChromeOptions();
    options.setBinary("/usr/bin/chromium");
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--user-data-dir=" + freshFolder());
    LoggingPreferences logging = new LoggingPreferences();
    logging.enable(LogType.BROWSER, Level.SEVERE);
    options.setCapability("goog:loggingPrefs", logging);
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(Path.of("/usr/bin/chromedriver").toFile())
            .usingAnyFreePort()
            .build();
    this.driver = new ChromeDriver(service, options);
    size(1280, 1500);
  }

  private static Path freshFolder() {
    try {
      return Files.createTempDirectory("weir-chromium-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void open(int port) {
    driver.get("http://localhost:" + port + "/");
    await("connected", () -> text("status").startsWith("connected"));
  }

  void size(int width, int height) {
    driver.manage().window().setSize(new Dimension(width, height));
  }

  /** Makes the page itself that wide, which the smallest window is not. */
  void narrow(int width) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        java.util.Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", true));
  }

  void prefer(String scheme) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        java.util.Map.of(
            "features",
            List.of(java.util.Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  WebElement byId(String id) {
    return driver.findElement(By.id(id));
  }

  List<WebElement> all(String css) {
    return driver.findElements(By.cssSelector(css));
  }

  String text(String id) {
    return String.valueOf(byId(id).getDomProperty("textContent")).strip();
  }

  void click(String id) {
    script("document.getElementById(arguments[0]).scrollIntoView({block: 'center'})", id);
    byId(id).click();
  }

  /** Chooses a radio button by its name and value, by its label as a person does. */
  void choose(String name, String value) {
    WebElement input =
        driver.findElement(By.cssSelector("input[name='%s'][value='%s']".formatted(name, value)));
    script("arguments[0].scrollIntoView({block: 'center'})", input);
    input.findElement(By.xpath("..")).click();
  }

  void type(String id, String text) {
    WebElement input = byId(id);
    script("arguments[0].scrollIntoView({block: 'center'})", input);
    input.sendKeys(Keys.chord(Keys.CONTROL, "a"), text);
  }

  void press(CharSequence... keys) {
    driver.switchTo().activeElement().sendKeys(keys);
  }

  /** The id, or the name and value, of what has the focus. */
  String focused() {
    WebElement element = driver.switchTo().activeElement();
    String id = element.getDomProperty("id");
    return id == null || id.isEmpty()
        ? element.getDomProperty("name") + "=" + element.getDomProperty("value")
        : id;
  }

  long count(String id) {
    return Long.parseLong(text(id).replace(",", ""));
  }

  Object script(String script, Object... arguments) {
    return String.valueOf(((JavascriptExecutor) driver).executeScript(script, arguments));
  }

  void await(String what, BooleanSupplier condition) {
    new WebDriverWait(driver, PATIENCE, Duration.ofMillis(50))
        .ignoring(StaleElementReferenceException.class)
        .withMessage(() -> "waited for: " + what)
        .until(any -> condition.getAsBoolean());
  }

  /** What the page's console has as errors since the last look. */
  List<String> errors() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .map(String::valueOf)
        // An answer 429 is what this page is about; the browser lists it as a failed load.
        .filter(line -> !line.contains("429 (Too Many Requests)"))
        .toList();
  }

  void picture(String name) {
    try {
      Files.createDirectories(SCREENSHOTS);
      Files.write(SCREENSHOTS.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    driver.quit();
  }
}
