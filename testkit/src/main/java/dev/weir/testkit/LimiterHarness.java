package dev.weir.testkit;

import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import java.util.OptionalLong;

/**
 * One store, empty at first, with a clock that a test moves. Every store that is to keep the
 * contract of a {@link RateLimiter} brings one, and runs {@link RateLimiterContract} and {@link
 * FieldReportContract} with it.
 *
 * <p>Whatever expiry the store has must not act by the machine's clock while the manual clock
 * stands still: keep the real lifetime long, or record what was asked for and apply it by the
 * manual clock.
 */
public interface LimiterHarness extends AutoCloseable {

  /** A limiter of that policy on the store. */
  RateLimiter limiter(RateLimitPolicy policy);

  /** The clock that all limiters of this harness decide by. */
  ManualClock clock();

  /**
   * All that is stored for a key, comparable with {@code equals}: every field, and the instant of
   * expiry where the store has one. A key without state gives a value that equals any other such.
   */
  Object storedState(RateLimitPolicy policy, String key);

  /** Whether keys of the store expire; if not, {@link #timeToLiveMicros} is empty always. */
  boolean hasExpiry();

  /**
   * How long the key has left to live, counted from the clock's time; empty if it holds no state or
   * has expired by that time, or if the store has no expiry; {@link Long#MAX_VALUE} if it holds
   * state and never expires.
   */
  OptionalLong timeToLiveMicros(RateLimitPolicy policy, String key);

  /**
   * By how much a lifetime may exceed the time until the state equals a fresh one, as documented
   * for the store: by default the rounding up to a whole millisecond.
   */
  default long expirySlackMicros() {
    return 1_000;
  }

  /** Whether two limiters whose policies have one name share the state of a key. */
  boolean sharesState();

  @Override
  void close();
}
