package dev.weir;

import java.time.Duration;
import java.util.Objects;

/**
 * A bucket of tokens that starts full and is refilled at a fixed rate up to its capacity; a call
 * takes as many tokens as it costs, or is refused.
 *
 * <p>In any interval of length w at most {@code capacity + floor(rate x w)} permits are admitted
 * with {@link Refill#SMOOTH}, and {@code capacity + refillTokens x ceil(w / refillPeriod)} with
 * {@link Refill#INTERVAL}.
 *
 * @param capacity the most tokens the bucket holds, 1 to {@link Limit#MAX_PERMITS}
 * @param refillTokens the tokens that arrive in each period, 1 to {@link Limit#MAX_PERMITS}
 * @param refillPeriod the period, 1 ms to ten years, in whole microseconds
 * @param refill whether tokens arrive continuously or together at the end of each period
 */
public record TokenBucket(long capacity, long refillTokens, Duration refillPeriod, Refill refill)
    implements Limit {

  /** How tokens arrive. */
  public enum Refill {
    /** Continuously: a third of a period earns exactly a third of the tokens. */
    SMOOTH,
    /** All of a period's tokens together, at each whole period after the first charge. */
    INTERVAL
  }

  /** Checks the numbers. */
  public TokenBucket {
    LimitNumbers.permits("capacity", capacity);
    LimitNumbers.permits("refillTokens", refillTokens);
    LimitNumbers.duration("refillPeriod", refillPeriod);
    Objects.requireNonNull(refill, "refill");
    LimitNumbers.lifetime(
        "filling a capacity", fillTime(capacity, refillTokens, refillPeriod, refill), capacity);
  }

  /** A bucket whose tokens arrive continuously. */
  public static TokenBucket smooth(long capacity, long refillTokens, Duration refillPeriod) {
    return new TokenBucket(capacity, refillTokens, refillPeriod, Refill.SMOOTH);
  }

  /** A bucket whose tokens arrive together at each whole period after its first charge. */
  public static TokenBucket interval(long capacity, long refillTokens, Duration refillPeriod) {
    return new TokenBucket(capacity, refillTokens, refillPeriod, Refill.INTERVAL);
  }

  /**
   * The generic cell rate algorithm, which is a smooth token bucket written another way: a rate of
   * {@code permits} per {@code period}, of which {@code burst} may come at once.
   */
  public static TokenBucket gcra(long permits, Duration period, long burst) {
    return smooth(burst, permits, period);
  }

  @Override
  public AlgorithmKind kind() {
    return AlgorithmKind.TOKEN_BUCKET;
  }

  @Override
  public Duration quotaWindow() {
    return fillTime(capacity, refillTokens, refillPeriod, refill);
  }

  private static Duration fillTime(long capacity, long tokens, Duration period, Refill refill) {
    return switch (refill) {
      case SMOOTH -> LimitNumbers.timeFor(capacity, tokens, period);
      case INTERVAL -> period.multipliedBy((capacity + tokens - 1) / tokens);
    };
  }
}
