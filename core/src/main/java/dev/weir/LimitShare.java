package dev.weir;

/** A part of a limit, for a process that decides by itself. */
final class LimitShare {

  private LimitShare() {}

  /**
   * The limit with that share of its permits, rounded down but at least one; the time over which
   * they come back stays.
   */
  static Limit of(Limit limit, double share) {
    if (share == 1) {
      return limit;
    }
    return switch (limit.kind()) {
      case TOKEN_BUCKET -> tokenBucket((TokenBucket) limit, share);
      case FIXED_WINDOW -> {
        FixedWindow window = (FixedWindow) limit;
        yield new FixedWindow(part(window.limit(), share), window.window(), window.alignment());
      }
      case SLIDING_WINDOW_LOG ->
          new SlidingWindowLog(part(limit.capacity(), share), limit.quotaWindow());
      case SLIDING_WINDOW_COUNTER ->
          new SlidingWindowCounter(part(limit.capacity(), share), limit.quotaWindow());
      case LEAKY_BUCKET -> leakyBucket((LeakyBucket) limit, share);
      case CONCURRENCY -> new Concurrency(part(limit.capacity(), share), limit.quotaWindow());
      case CALENDAR_WINDOW -> {
        CalendarWindow window = (CalendarWindow) limit;
        yield new CalendarWindow(part(window.limit(), share), window.unit(), window.zone());
      }
    };
  }

  private static long part(long permits, double share) {
    return Math.max(1, (long) (permits * share));
  }

  /** A rate of fewer than one permit in a period is one permit in more periods. */
  private static java.time.Duration slower(java.time.Duration period, long permits, double share) {
    double wanted = permits * share;
    if (wanted >= 1) {
      return period;
    }
    double micros = LimitNumbers.toMicros(period) / wanted;
    java.time.Duration longer = LimitNumbers.micros((long) Math.ceil(micros));
    return longer.compareTo(Limit.MAX_DURATION) > 0 ? Limit.MAX_DURATION : longer;
  }

  private static Limit tokenBucket(TokenBucket bucket, double share) {
    return new TokenBucket(
        part(bucket.capacity(), share),
        part(bucket.refillTokens(), share),
        slower(bucket.refillPeriod(), bucket.refillTokens(), share),
        bucket.refill());
  }

  private static Limit leakyBucket(LeakyBucket bucket, double share) {
    return new LeakyBucket(
        part(bucket.capacity(), share),
        part(bucket.leakPermits(), share),
        slower(bucket.leakPeriod(), bucket.leakPermits(), share),
        bucket.mode());
  }
}
