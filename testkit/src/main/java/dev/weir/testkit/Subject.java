package dev.weir.testkit;

import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;

/** Whatever can be asked what a trace asks: a limiter, or the model it is compared with. */
public interface Subject {

  /** Asks for permits, and charges them if they are admitted. */
  Answer tryAcquire(String key, long permits);

  /** Asks what {@link #tryAcquire} would answer. */
  Answer peek(String key, long permits);

  /** Charges permits whether they are free or not. */
  Answer charge(String key, long permits);

  /** Gives back the newest permits. */
  Answer refund(String key, long permits);

  /**
   * Gives back some of what an earlier call was charged.
   *
   * @param back which of the key's charges: 0 is the latest; must be fewer than there are
   * @param permits at most what it was charged is given back
   */
  Answer giveBack(String key, int back, long permits);

  /** Asks for permits, and reserves them if they are admitted. */
  Answer reserve(String key, long permits, long lifeMicros);

  /**
   * Settles an earlier reservation.
   *
   * @param back which of the key's reservations: 0 is the latest; must be fewer than there are
   */
  Answer settle(String key, int back, long permits);

  /** How many charges of a key there have been; those of reservations do not count. */
  int charges(String key);

  /** How many reservations of a key there have been. */
  int reservations(String key);

  /** Forgets a key. */
  void reset(String key);

  /** Judges the next call by another policy of the same name. */
  void changePolicy(RateLimitPolicy policy);

  /** A limiter as a subject. */
  static Subject of(RateLimiter limiter) {
    return new LimiterSubject(limiter);
  }
}
