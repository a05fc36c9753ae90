package dev.weir.server.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoCodeTest extends BrowserTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          token-bucket           | interval     | TokenBucket.interval(10, 1, Duration.ofSeconds(1))
          token-bucket           | smooth       | TokenBucket.smooth(10, 1, Duration.ofSeconds(1))
          fixed-window           | first-charge | FixedWindow.of(10, Duration.ofSeconds(10))
          fixed-window           | clock        | FixedWindow.alignedToClock(10, Duration
          sliding-window-log     | ''           | SlidingWindowLog.of(10, Duration.ofSeconds(10))
          sliding-window-counter | ''           | SlidingWindowCounter.of(10, Duration.ofSeconds
          leaky-bucket           | policing     | LeakyBucket.policing(10, 1, Duration.ofSeconds
          leaky-bucket           | shaping      | LeakyBucket.shaping(10, 1, Duration.ofSeconds(1))
          """)
  void everyAlgorithmCanBeChosenAndItsCodeCompiles(String word, String variant, String code)
      throws IOException {
    DemoPage page = open();
    page.chooseAlgorithm(word, variant);
    page.awaitCode(code);
    assertThat(service().policies()).contains('"' + word + '"', variant);
    page.click("send-one");
    page.awaitText("left", "9");
    page.type("burst-size", "6");
    page.click("send-burst");
    page.awaitText("count-allowed", "7");
    browser().run("scrollTo(0, 0)");
    browser().screenshot("algorithm-" + word + (variant.isEmpty() ? "" : "-" + variant));
    assertThat(page.elements("#drawing > *")).isNotEmpty();
    String inMemory = page.text("code");
    page.choose("redis");
    page.awaitCode("LettuceRateLimiter.create(redisClient");
    assertThat(ShownCode.problems(inMemory, page.text("code"))).isEmpty();
  }

  @Test
  void theCodeHoldsForAnyKeyCostAndDuration() throws IOException {
    DemoPage page = open();
    page.type("key", "a \"b\" \\u0041 \u00fc {x}");
    page.type("cost", "3");
    page.type("parameter-refillPeriod", "1h30m");
    page.type("parameter-capacity", "100000");
    page.awaitCode("TokenBucket.interval(100_000, 1, Duration.ofMinutes(90))");
    page.awaitCode(", 3);");
    assertThat(ShownCode.problems(page.text("code"))).isEmpty();
  }

  @Test
  void theCodeCanBeCopied() {
    DemoPage page = open();
    page.click("copy");
    page.awaitMatch("copy", "Copied|Selected: press Ctrl\\+C");
    page.awaitText("copy", "Copy");
  }
}
