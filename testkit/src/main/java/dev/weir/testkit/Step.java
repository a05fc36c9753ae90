package dev.weir.testkit;

import dev.weir.RateLimitPolicy;

/** One thing that a trace does. Keys are numbers; a run gives each its own text. */
public sealed interface Step {

  /**
   * Asks for permits.
   *
   * @param key whose
   * @param permits how many
   */
  record Acquire(int key, long permits) implements Step {}

  /**
   * Looks.
   *
   * @param key whose
   * @param permits how many a call would ask for
   */
  record Peek(int key, long permits) implements Step {}

  /**
   * Charges whether it is free or not.
   *
   * @param key whose
   * @param permits how many
   */
  record Charge(int key, long permits) implements Step {}

  /**
   * Gives back the newest permits.
   *
   * @param key whose
   * @param permits how many
   */
  record Refund(int key, long permits) implements Step {}

  /**
   * Gives back what a call was charged.
   *
   * @param key whose
   * @param back which of the key's charges: 0 is the latest, 1 the one before
   * @param permits how many, at most what was charged
   */
  record GiveBack(int key, int back, long permits) implements Step {}

  /**
   * Reserves.
   *
   * @param key whose
   * @param permits how many
   * @param lifeMicros for how long
   */
  record Reserve(int key, long permits, long lifeMicros) implements Step {}

  /**
   * Settles a reservation.
   *
   * @param key whose
   * @param back which of the key's reservations: 0 is the latest, 1 the one before
   * @param permits the real cost
   */
  record Settle(int key, int back, long permits) implements Step {}

  /**
   * Forgets a key.
   *
   * @param key which
   */
  record Reset(int key) implements Step {}

  /**
   * Moves the clock.
   *
   * @param micros by how much; less than 0 is back
   */
  record Advance(long micros) implements Step {}

  /**
   * Moves the clock by what the latest answer advised, if it advised anything.
   *
   * @param what which of its times
   * @param offset microseconds more, or less if negative
   */
  record Await(Advice what, long offset) implements Step {}

  /**
   * Changes the policy.
   *
   * @param policy to this one
   */
  record Change(RateLimitPolicy policy) implements Step {}

  /** A time that an answer gives. */
  enum Advice {
    /** {@code retryAfter}. */
    RETRY,
    /** {@code nextPermitAfter} of the first limit. */
    NEXT,
    /** {@code resetAfter}. */
    RESET;

    long of(Answer answer) {
      return switch (this) {
        case RETRY -> answer.retryAfter().isNever() ? 0 : answer.retryAfter().toMicros();
        case NEXT -> answer.limits().get(0).nextPermitAfter();
        case RESET -> answer.resetAfter();
      };
    }
  }
}
