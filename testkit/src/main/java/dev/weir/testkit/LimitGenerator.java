package dev.weir.testkit;

import dev.weir.CalendarUnit;
import dev.weir.CalendarWindow;
import dev.weir.LeakyBucket;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.TokenBucket;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.Random;

/** Makes limits at random, with a liking for the numbers that arithmetic gets wrong. */
final class LimitGenerator {

  private static final long SECOND = 1_000_000L;
  private static final long DAY = 86_400 * SECOND;
  private static final long TEN_YEARS = 3_653 * DAY;

  /** Round ones, one off them, primes, and the extremes. */
  private static final long[] PERMITS = {
    1,
    2,
    3,
    5,
    7,
    9,
    10,
    16,
    17,
    60,
    97,
    100,
    999,
    1_000,
    65_535,
    999_983,
    1_000_000,
    999_999_937,
    1_000_000_000
  };

  private static final long[] PERIODS = {
    1_000,
    1_001,
    10_000,
    333_333,
    333_334,
    999_983,
    SECOND,
    3 * SECOND,
    7 * SECOND,
    60 * SECOND,
    3_600 * SECOND,
    DAY,
    7 * DAY,
    365 * DAY,
    TEN_YEARS - 1,
    TEN_YEARS
  };

  private static final long[] PER_SECOND = {1, 900, 1_100, 1_999, 2_001, 65_535, 1_000_000};

  /** Zones that change their clocks: by other than an hour, at or over midnight, by whole days. */
  private static final String[] ZONES = {
    "Africa/Cairo",
    "America/Havana",
    "America/New_York",
    "America/Sao_Paulo",
    "America/St_Johns",
    "Asia/Kathmandu",
    "Asia/Kolkata",
    "Australia/Lord_Howe",
    "Europe/Berlin",
    "Pacific/Apia",
    "Pacific/Chatham",
    "UTC",
    "+14:00",
    "-12:00"
  };

  /** In the year 2050. */
  private static final double LATEST_SECOND = 2_540_000_000.0;

  private final Random random;

  LimitGenerator(Random random) {
    this.random = random;
  }

  /** A limit of any shape, or of a calendar. */
  Limit limit() {
    Shape[] shapes = Shape.values();
    int which = random.nextInt(shapes.length + 1);
    return which == shapes.length ? calendarLimit() : limit(shapes[which]);
  }

  /** A limit of a calendar. */
  CalendarWindow calendarLimit() {
    CalendarUnit[] units = CalendarUnit.values();
    return CalendarWindow.of(
        permits(),
        units[random.nextInt(units.length)],
        ZoneId.of(ZONES[random.nextInt(ZONES.length)]));
  }

  /** When clocks of a zone are changed, or a moment before or after; any time if they are not. */
  long clockChange(ZoneId zone) {
    Instant any = Instant.ofEpochSecond((long) (random.nextDouble() * LATEST_SECOND));
    ZoneOffsetTransition change = zone.getRules().nextTransition(any);
    Instant at = change == null ? any : change.getInstant();
    return at.getEpochSecond() * SECOND + random.nextInt(3) - 1;
  }

  /** A limit of that shape. */
  Limit limit(Shape shape) {
    while (true) {
      try {
        return candidate(shape);
      } catch (IllegalArgumentException tooSlow) {
        // a capacity that takes longer than the longest lifetime at that rate: draw again
      }
    }
  }

  private Limit candidate(Shape shape) {
    long permits = permits();
    boolean perSecond = random.nextInt(4) == 0;
    long rate = perSecond ? pick(PER_SECOND) : permits();
    Duration period = perSecond ? Duration.ofSeconds(1) : period();
    return switch (shape) {
      case TOKEN_BUCKET_SMOOTH -> TokenBucket.smooth(permits, rate, period);
      case TOKEN_BUCKET_INTERVAL -> TokenBucket.interval(permits, rate, period);
      case LEAKY_BUCKET_POLICING -> LeakyBucket.policing(permits, rate, period);
      case LEAKY_BUCKET_SHAPING -> LeakyBucket.shaping(permits, rate, period);
      case FIXED_WINDOW_FIRST_CHARGE,
          FIXED_WINDOW_CLOCK,
          SLIDING_WINDOW_LOG,
          SLIDING_WINDOW_COUNTER,
          CONCURRENCY ->
          shape.of(permits, period);
    };
  }

  /** A policy of one limit mostly, of up to four otherwise. */
  RateLimitPolicy policy(String name) {
    RateLimitPolicy.Builder builder = RateLimitPolicy.builder(name);
    int count = random.nextInt(3) > 0 ? 1 : 2 + random.nextInt(3);
    boolean named = random.nextBoolean();
    for (int i = 0; i < count; i++) {
      if (named) {
        builder.limit("limit-" + i, limit());
      } else {
        builder.limit(limit());
      }
    }
    return builder.build();
  }

  private long permits() {
    return random.nextInt(3) > 0 ? pick(PERMITS) : logUniform(1, Limit.MAX_PERMITS);
  }

  private Duration period() {
    long micros = random.nextInt(3) > 0 ? pick(PERIODS) : logUniform(1_000, TEN_YEARS);
    return Duration.of(micros, ChronoUnit.MICROS);
  }

  private long pick(long[] values) {
    return values[random.nextInt(values.length)];
  }

  /** A number between the two, whose number of digits is uniform rather than itself. */
  long logUniform(long from, long to) {
    double least = Math.log((double) from);
    double exponent = least + random.nextDouble() * (Math.log((double) to) - least);
    return Math.max(from, Math.min(to, Math.round(Math.exp(exponent))));
  }
}
