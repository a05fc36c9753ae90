package dev.weir.testkit;

import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;

/** Whatever can be asked what a trace asks: a limiter, or the model it is compared with. */
public interface Subject {

  /** Asks for permits, and charges them if they are admitted. */
  Answer tryAcquire(String key, long permits);

  /** Asks what {@link #tryAcquire} would answer. */
  Answer peek(String key, long permits);

  /** Forgets a key. */
  void reset(String key);

  /** Judges the next call by another policy of the same name. */
  void changePolicy(RateLimitPolicy policy);

  /** A limiter as a subject. */
  static Subject of(RateLimiter limiter) {
    return new Subject() {
      @Override
      public Answer tryAcquire(String key, long permits) {
        return Answer.of(limiter.tryAcquire(key, permits));
      }

      @Override
      public Answer peek(String key, long permits) {
        return Answer.of(limiter.peek(key, permits));
      }

      @Override
      public void reset(String key) {
        limiter.reset(key);
      }

      @Override
      public void changePolicy(RateLimitPolicy policy) {
        limiter.changePolicy(policy);
      }
    };
  }
}
