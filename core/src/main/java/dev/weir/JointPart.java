package dev.weir;

import java.util.Objects;

/**
 * One of the keys that a joint call is charged to.
 *
 * @param limiter whose policy judges it
 * @param key whom to charge
 * @param permits how many, 0 to {@link Limit#MAX_PERMITS}
 */
public record JointPart(RateLimiter limiter, String key, long permits) {

  /** Checks the permits. */
  public JointPart {
    Objects.requireNonNull(limiter, "limiter");
    Objects.requireNonNull(key, "key");
    Limit.checkPermits(permits, 0);
  }

  /** One permit of a key. */
  public static JointPart of(RateLimiter limiter, String key) {
    return new JointPart(limiter, key, 1);
  }
}
