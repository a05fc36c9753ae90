package dev.weir.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the tests on a harness have in common: a store and a clock of its own for each test. */
abstract class HarnessTest {

  static final String KEY = "user:42";

  @SuppressWarnings("NullAway.Init")
  private LimiterHarness store;

  /** A harness of an empty store. */
  protected abstract LimiterHarness harness();

  @BeforeEach
  final void open() {
    store = harness();
  }

  @AfterEach
  final void close() {
    store.close();
  }

  final LimiterHarness store() {
    return store;
  }

  final ManualClock clock() {
    return store.clock();
  }

  final RateLimiter limiter(Limit... limits) {
    return store.limiter(policy(limits));
  }

  static RateLimitPolicy policy(Limit... limits) {
    return RateLimitPolicy.of("test", limits);
  }

  /** Sets the clock to that long after the midnight that all tests start from. */
  final void at(Duration sinceStart) {
    clock().set(ManualClock.MIDNIGHT + ManualClock.micros(sinceStart));
  }

  final void at(double seconds) {
    clock().set(ManualClock.MIDNIGHT + Math.round(seconds * 1e6));
  }

  static Decision allowed(Decision decision) {
    assertEquals(true, decision.allowed(), decision::toString);
    return decision;
  }

  static Decision refused(Decision decision) {
    assertEquals(false, decision.allowed(), decision::toString);
    return decision;
  }

  static Decision refused(Decision decision, Duration wait) {
    assertEquals(wait, refused(decision).retryAfter().toDuration(), decision::toString);
    return decision;
  }

  /** How many of that many single permits are admitted at one instant. */
  static int admitted(RateLimiter limiter, String key, int calls) {
    int admitted = 0;
    for (int i = 0; i < calls; i++) {
      admitted += limiter.tryAcquire(key).allowed() ? 1 : 0;
    }
    return admitted;
  }

  static Duration seconds(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e6) * 1_000);
  }
}
