package dev.weir.testkit;

import dev.weir.Decision;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;

/** The in-process store with limiters that are broken, and an expiry that may be too. */
final class BrokenHarness implements LimiterHarness {

  /** Breaks a limiter. */
  @FunctionalInterface
  interface Fault {
    RateLimiter in(RateLimiter intact, ManualClock clock);
  }

  private final LocalHarness local = new LocalHarness();
  private final Map<String, Long> expiries = new HashMap<>();
  private final Fault fault;
  private final LongUnaryOperator lifetime;
  private final boolean refusalsExtend;

  BrokenHarness(Fault fault) {
    this(fault, reset -> (reset + 999) / 1_000 * 1_000, false);
  }

  /**
   * A harness whose keys expire.
   *
   * @param lifetime how long a key is told to live, by how long until its state is as fresh; 0
   *     removes it at once
   */
  BrokenHarness(Fault fault, LongUnaryOperator lifetime, boolean refusalsExtend) {
    this.fault = fault;
    this.lifetime = lifetime;
    this.refusalsExtend = refusalsExtend;
  }

  @Override
  public RateLimiter limiter(RateLimitPolicy policy) {
    return new Expiring(fault.in(local.limiter(policy), clock()));
  }

  @Override
  public ManualClock clock() {
    return local.clock();
  }

  @Override
  public Object storedState(RateLimitPolicy policy, String key) {
    return List.of(local.storedState(policy, key), expiries.getOrDefault(key, -1L));
  }

  @Override
  public boolean hasExpiry() {
    return true;
  }

  @Override
  public OptionalLong timeToLiveMicros(RateLimitPolicy policy, String key) {
    Long expiry = expiries.get(key);
    if (expiry == null) {
      return OptionalLong.empty();
    }
    return expiry == Long.MAX_VALUE
        ? OptionalLong.of(expiry)
        : OptionalLong.of(expiry - clock().now()).stream().filter(micros -> micros > 0).findAny();
  }

  @Override
  public boolean sharesState() {
    return false;
  }

  @Override
  public void close() {
    local.close();
  }

  private final class Expiring extends BrokenLimiter {

    Expiring(RateLimiter intact) {
      super(intact);
    }

    @Override
    public Decision tryAcquire(String key, long permits) {
      Decision decision = intact().tryAcquire(key, permits);
      if (permits > 0 && (decision.allowed() || refusalsExtend)) {
        long micros = lifetime.applyAsLong(ManualClock.micros(decision.resetAfter()));
        expiries.put(key, micros == Long.MAX_VALUE ? micros : clock().now() + micros);
        if (micros == 0) {
          reset(key);
        }
      }
      return decision;
    }

    @Override
    public void reset(String key) {
      intact().reset(key);
      expiries.remove(key);
    }
  }
}
