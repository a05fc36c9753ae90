package dev.weir.redis;

import dev.weir.Concurrency;
import dev.weir.FixedWindow;
import dev.weir.LeakyBucket;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy.NamedLimit;
import dev.weir.SlidingWindowCounter;
import dev.weir.SlidingWindowLog;
import dev.weir.TokenBucket;
import dev.weir.algorithm.Rate;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * A limit as the script reads it: which algorithm, and its numbers.
 *
 * @param script the algorithm's script
 * @param a its first parameter; the header of the script says what it is
 * @param b its second parameter, or 0
 * @param c its third parameter, or 0
 */
record LimitArguments(AlgorithmScript script, long a, long b, long c) {

  static LimitArguments of(Limit limit) {
    return switch (limit.kind()) {
      case TOKEN_BUCKET -> tokenBucket((TokenBucket) limit);
      case FIXED_WINDOW -> fixedWindow((FixedWindow) limit);
      case SLIDING_WINDOW_LOG ->
          new LimitArguments(
              AlgorithmScript.LOG, micros(((SlidingWindowLog) limit).window()), 0, 0);
      case SLIDING_WINDOW_COUNTER ->
          new LimitArguments(
              AlgorithmScript.COUNTER, micros(((SlidingWindowCounter) limit).window()), 0, 0);
      case LEAKY_BUCKET -> leakyBucket((LeakyBucket) limit);
      case CONCURRENCY ->
          new LimitArguments(
              AlgorithmScript.CONCURRENCY, micros(((Concurrency) limit).lease()), 0, 0);
      // CalendarLimits puts the windows in; without any, no time is in them.
      case CALENDAR_WINDOW -> new LimitArguments(AlgorithmScript.CALENDAR, 0, 0, 0);
    };
  }

  private static LimitArguments tokenBucket(TokenBucket bucket) {
    return switch (bucket.refill()) {
      case SMOOTH -> drain(Rate.reduced(bucket.refillTokens(), bucket.refillPeriod()), false);
      case INTERVAL ->
          new LimitArguments(
              AlgorithmScript.INTERVAL, bucket.refillTokens(), micros(bucket.refillPeriod()), 0);
    };
  }

  private static LimitArguments leakyBucket(LeakyBucket bucket) {
    return drain(
        Rate.reduced(bucket.leakPermits(), bucket.leakPeriod()),
        bucket.mode() == LeakyBucket.Mode.SHAPING);
  }

  private static LimitArguments drain(Rate rate, boolean shaping) {
    return new LimitArguments(
        AlgorithmScript.DRAIN, rate.permits(), rate.periodMicros(), shaping ? 1 : 0);
  }

  private static LimitArguments fixedWindow(FixedWindow window) {
    return new LimitArguments(
        AlgorithmScript.WINDOW,
        micros(window.window()),
        window.alignment() == FixedWindow.Alignment.CLOCK ? 1 : 0,
        0);
  }

  private static long micros(Duration duration) {
    return duration.getSeconds() * 1_000_000L + duration.getNano() / 1000;
  }

  /** Adds the script's six arguments for a limit. */
  static void add(NamedLimit named, List<byte[]> arguments) {
    LimitArguments limit = of(named.limit());
    arguments.add(bytes(limit.script().letter()));
    arguments.add(bytes(Integer.toString(named.stateId())));
    arguments.add(bytes(Long.toString(named.limit().capacity())));
    arguments.add(bytes(Long.toString(limit.a())));
    arguments.add(bytes(Long.toString(limit.b())));
    arguments.add(bytes(Long.toString(limit.c())));
  }

  static byte[] bytes(long number) {
    return bytes(Long.toString(number));
  }

  /** Where in a script's arguments the three parameters of the limit with that index start. */
  static int firstParameter(int index) {
    return 2 + index * 6 + 3;
  }

  static byte[] bytes(String ascii) {
    return ascii.getBytes(StandardCharsets.US_ASCII);
  }
}
