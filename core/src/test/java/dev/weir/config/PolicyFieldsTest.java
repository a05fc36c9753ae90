package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.AlgorithmKind;
import dev.weir.CalendarUnit;
import dev.weir.CalendarWindow;
import dev.weir.Concurrency;
import dev.weir.FixedWindow;
import dev.weir.LeakyBucket;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.SlidingWindowCounter;
import dev.weir.SlidingWindowLog;
import dev.weir.TokenBucket;
import java.time.Duration;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Policies as fields: whatever is written is read as the same; the rest names its field. */
class PolicyFieldsTest {

  private static final String[] ZONES =
      ZoneId.getAvailableZoneIds().stream().sorted().toArray(String[]::new);

  private static Limit limit(Random random) {
    long permits = 1L + random.nextInt(1_000);
    long rate = 1L + random.nextInt(1_000);
    Duration time = Duration.of(1_000L + random.nextInt(Integer.MAX_VALUE), ChronoUnit.MICROS);
    return switch (pick(random, AlgorithmKind.values())) {
      case TOKEN_BUCKET ->
          new TokenBucket(permits, rate, time, pick(random, TokenBucket.Refill.values()));
      case FIXED_WINDOW ->
          new FixedWindow(permits, time, pick(random, FixedWindow.Alignment.values()));
      case CALENDAR_WINDOW ->
          new CalendarWindow(permits, pick(random, CalendarUnit.values()), zone(random));
      case SLIDING_WINDOW_LOG -> new SlidingWindowLog(permits, time);
      case SLIDING_WINDOW_COUNTER -> new SlidingWindowCounter(permits, time);
      case LEAKY_BUCKET ->
          new LeakyBucket(permits, rate, time, pick(random, LeakyBucket.Mode.values()));
      case CONCURRENCY -> new Concurrency(permits, time);
    };
  }

  private static ZoneId zone(Random random) {
    return ZoneId.of(pick(random, ZONES));
  }

  private static <T> T pick(Random random, T[] values) {
    return values[random.nextInt(values.length)];
  }

  @Test
  void whatIsWrittenIsReadAsTheSame() {
    long seed = Long.getLong("weir.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int i = 0; i < 5_000; i++) {
      RateLimitPolicy.Builder builder = RateLimitPolicy.builder("p");
      for (int limits = 1 + random.nextInt(4); limits > 0; limits--) {
        if (random.nextBoolean()) {
          builder.limit("name-" + limits, limit(random));
        } else {
          builder.limit(limit(random));
        }
      }
      RateLimitPolicy policy = builder.build();
      assertThat(PolicyFields.read("p", PolicyFields.write(policy)))
          .as("seed %d", seed)
          .isEqualTo(policy);
    }
  }

  private static void refused(Object limits, String field, String problem) {
    assertThatThrownBy(() -> PolicyFields.read("p", Map.of("limits", limits)))
        .isInstanceOfSatisfying(
            ConfigException.class, thrown -> assertThat(thrown.field()).isEqualTo(field))
        .hasMessageStartingWith(field + ": ")
        .hasMessageContaining(problem);
  }

  @Test
  void aCalendarNamesWhatItDoesNotKnow() {
    Map<String, Object> window = new HashMap<>(Map.of("algorithm", "calendar-window", "limit", 5));
    window.put("unit", "moth");
    refused(
        List.of(window),
        "limits[0].unit",
        "one of hour, day, week, week-from-sunday, month, year, and was 'moth'"
            + "; did you mean 'month'?");
    window.put("unit", "month");
    refused(List.of(window), "limits[0].zone", "is missing");
    window.put("zone", "Europe/Berln");
    refused(
        List.of(window),
        "limits[0].zone",
        "such as Europe/Berlin, UTC or +05:30, and was 'Europe/Berln'; did you mean"
            + " 'Europe/Berlin'?");
    window.put("zone", "../../etc/passwd");
    refused(List.of(window), "limits[0].zone", "must be a time zone");
    window.put("zone", 1);
    refused(List.of(window), "limits[0].zone", "must be a text, and was 1");
    window.put("zone", "+05:45");
    window.put("window", "1d");
    refused(List.of(window), "limits[0].window", "fields here are name, algorithm, limit, unit");
    window.remove("window");
    assertThat(PolicyFields.read("p", Map.of("limits", List.of(window))).limits().get(0).limit())
        .isEqualTo(CalendarWindow.of(5, CalendarUnit.MONTH, ZoneId.of("+05:45")));
  }

  @Test
  void theFieldTheValueAndTheBoundAreNamed() {
    Map<String, Object> window = new HashMap<>();
    window.put("algorithm", "fixed-window");
    window.put("limit", 1.5);
    window.put("window", "1s");
    refused(List.of(window), "limits[0].limit", "whole number from 1 to 1000000000, and was 1.5");
    window.put("limit", Double.NaN);
    refused(List.of(window), "limits[0].limit", "was NaN");
    window.put("limit", "10");
    refused(List.of(window), "limits[0].limit", "was '10'");
    window.put("limit", 10L);
    window.put("window", "0s");
    refused(List.of(window), "limits[0].window", "from 1 ms to 3653 days");
    window.put("window", "1s");
    window.put("aligment", "clock");
    refused(List.of(window), "limits[0].aligment", "did you mean 'alignment'?");
    window.remove("aligment");
    window.put("alignment", "Clock");
    refused(List.of(window), "limits[0].alignment", "first-charge, clock, and was 'Clock'");
    window.remove("alignment");
    refused(Collections.nCopies(17, window), "limits", "at most 16 limits, and were 17");
    window.put("name", "twice");
    refused(List.of(window, window), "limits", "'twice' and 'twice'");
    window.put("name", 7);
    refused(List.of(window), "limits[0].name", "must be a text, and was 7");
  }

  @Test
  void aMisspeltAlgorithmIsSuggested() {
    refused(List.of(Map.of("algorithm", "sliding-log")), "limits[0].algorithm", "must be one of");
    refused(
        List.of(Map.of("algorithm", "leaky_bucket")),
        "limits[0].algorithm",
        "did you mean 'leaky-bucket'?");
  }
}
