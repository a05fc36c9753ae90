package dev.weir.adaptive;

import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimitPolicy.NamedLimit;
import java.time.Duration;

/** What the limits of a policy admit in a minute, which the model takes as usual. */
public final class BaseRate {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private BaseRate() {}

  /** The least, over the limits of a policy, of what each admits in a minute. */
  public static double perMinute(RateLimitPolicy policy) {
    double least = Double.MAX_VALUE;
    for (NamedLimit named : policy.limits()) {
      least = Math.min(least, perMinute(named.limit()));
    }
    return least;
  }

  /** Of a limit over more than a minute all of it, since it may be used in one minute. */
  private static double perMinute(Limit limit) {
    double windows = (double) MINUTE.toNanos() / limit.quotaWindow().toNanos();
    return limit.capacity() * Math.max(1, windows);
  }
}
