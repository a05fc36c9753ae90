package dev.weir.adaptive;

import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimitPolicy.NamedLimit;
import java.time.Duration;

/**
 * What limits admit, which the model takes as usual: the least over the limits of a policy.
 *
 * @param perMinute in a minute; of a limit over more than a minute all of it, since it may be used
 *     in one
 * @param atOnce in a moment
 */
public record BaseRate(double perMinute, double atOnce) {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** The rate of a policy. */
  public static BaseRate of(RateLimitPolicy policy) {
    double perMinute = Double.MAX_VALUE;
    double atOnce = Double.MAX_VALUE;
    for (NamedLimit named : policy.limits()) {
      perMinute = Math.min(perMinute, perMinute(named.limit()));
      atOnce = Math.min(atOnce, (double) named.limit().capacity());
    }
    return new BaseRate(perMinute, atOnce);
  }

  private static double perMinute(Limit limit) {
    double windows = (double) MINUTE.toNanos() / limit.quotaWindow().toNanos();
    return limit.capacity() * Math.max(1, windows);
  }
}
