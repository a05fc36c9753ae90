package dev.weir.testkit;

import dev.weir.LeakyBucket;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.TokenBucket;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
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

  private final Random random;

  LimitGenerator(Random random) {
    this.random = random;
  }

  /** A limit of any shape. */
  Limit limit() {
    Shape[] shapes = Shape.values();
    return limit(shapes[random.nextInt(shapes.length)]);
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
