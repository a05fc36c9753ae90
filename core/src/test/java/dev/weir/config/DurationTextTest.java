package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Durations as text: read exactly, written so that they are read as the same. */
class DurationTextTest {

  @ParameterizedTest
  @CsvSource({
    "250ms,PT0.25S",
    "1s,PT1S",
    "90m,PT1H30M",
    "12h,PT12H",
    "7d,PT168H",
    "500us,PT0.0005S",
    "1h30m,PT1H30M",
    "1d2h3m4s5ms6us,PT26H3M4.005006S",
    "0s,PT0S",
    "1000ms,PT1S"
  })
  void readsWhatPeopleWrite(String text, Duration duration) {
    assertThat(DurationText.parse(text)).isEqualTo(duration);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "1",
        "s",
        "1 s",
        "-1s",
        "1.5s",
        "1S",
        "1min",
        "1w",
        "1y",
        "1s1h",
        "1s1s",
        "1h30",
        "PT1S",
        "1e3s",
        "\u0661s",
        "9999999999999999999s",
        "999999999999999999d",
        "NaN",
        "infinite"
      })
  void refusesTheRestAndSaysWhatIsAccepted(String text) {
    assertThatThrownBy(() -> DurationText.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "'")
        .hasMessageMatching(".*(write one like 250ms, 1s, 90m, 12h, 7d|longer than any).*");
  }

  @Test
  void aLongTextIsNotRepeatedInTheMessage() {
    assertThatThrownBy(() -> DurationText.parse("x".repeat(100_000)))
        .satisfies(thrown -> assertThat(thrown.getMessage()).hasSizeLessThan(250));
  }

  @Test
  void whatIsWrittenIsReadAsTheSame() {
    long seed = Long.getLong("weir.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      long micros = random.nextLong() >>> (1 + random.nextInt(63));
      Duration duration = Duration.of(micros, ChronoUnit.MICROS);
      String text = DurationText.format(duration);
      assertThat(DurationText.parse(text)).as("%s, seed %d", text, seed).isEqualTo(duration);
    }
  }

  @Test
  void writesOneUnitWhereOneDoes() {
    assertThat(DurationText.format(Duration.ofMillis(250))).isEqualTo("250ms");
    assertThat(DurationText.format(Duration.ofSeconds(60))).isEqualTo("1m");
    assertThat(DurationText.format(Duration.ofDays(7))).isEqualTo("7d");
    assertThat(DurationText.format(Duration.ofMinutes(90))).isEqualTo("1h30m");
  }
}
