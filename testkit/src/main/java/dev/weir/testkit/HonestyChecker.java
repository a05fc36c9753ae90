package dev.weir.testkit;

import dev.weir.Limit;
import dev.weir.RateLimitPolicy.NamedLimit;
import dev.weir.RateLimiter;
import dev.weir.Wait;

/**
 * Checks that what an answer says is true: exactly {@code remaining} can be spent, a refused call
 * is admitted after exactly {@code retryAfter}, and after exactly {@code resetAfter} the key is as
 * fresh. Failures are {@link AssertionError}s.
 *
 * <p>It looks ahead by moving the clock and peeking, and puts the clock back; only {@link #spend}
 * charges.
 */
public final class HonestyChecker {

  private static final long MOST_SINGLES = 32;

  private final RateLimiter limiter;
  private final ManualClock clock;

  /** A checker of a limiter that decides by the clock. */
  public HonestyChecker(RateLimiter limiter, ManualClock clock) {
    this.limiter = limiter;
    this.clock = clock;
  }

  /** Checks an answer that was given just now; nothing is charged. */
  public void check(String key, long permits, Answer answer) {
    checkShape(permits, answer);
    checkRemaining(key, answer);
    checkWait(key, permits, answer);
    checkReset(key, answer);
    checkNext(key, answer);
  }

  private void checkShape(long permits, Answer answer) {
    require(answer.allowed() == answer.retryAfter().isNone(), "allowed with a wait", answer);
    require(answer.allowed() == answer.limitedBy().isEmpty(), "refused by no limit", answer);
    boolean never = false;
    for (int i = 0; i < answer.limits().size(); i++) {
      NamedLimit named = limiter.policy().limits().get(i);
      Answer.OfLimit said = answer.limits().get(i);
      long capacity = named.limit().capacity();
      require(
          said.remaining() >= 0 && said.remaining() <= capacity, "remaining out of range", answer);
      require(
          (said.resetAfter() == 0) == (said.nextPermitAfter() == 0)
              && said.nextPermitAfter() <= said.resetAfter(),
          "the next permit after the reset",
          answer);
      require(said.retryAfter().isNever() == permits > capacity, "never, or not never", answer);
      never |= permits > capacity;
    }
    require(answer.retryAfter().isNever() == never, "never, or not never", answer);
    require(answer.allowed() || answer.delay() == 0, "refused with a delay", answer);
  }

  private void checkRemaining(String key, Answer answer) {
    long remaining = answer.remaining();
    require(
        remaining == 0 || limiter.peek(key, remaining).allowed(), "remaining not there", answer);
    require(
        remaining == Limit.MAX_PERMITS || !limiter.peek(key, remaining + 1).allowed(),
        "more than remaining",
        answer);
    require(limiter.peek(key, 0).remaining() == remaining, "another remaining when asked", answer);
  }

  private void checkWait(String key, long permits, Answer answer) {
    Wait wait = answer.retryAfter();
    if (wait.isNone()) {
      return;
    }
    if (wait.isNever()) {
      at(ManualClock.LATEST - clock.now(), key, permits, false, "admitted after never", answer);
      return;
    }
    at(wait.toMicros() - 1, key, permits, false, "admitted 1 us before the wait", answer);
    at(wait.toMicros(), key, permits, true, "refused after the wait", answer);
  }

  private void at(
      long later, String key, long permits, boolean allowed, String problem, Answer answer) {
    long now = clock.now();
    if (later > ManualClock.LATEST - now) {
      return;
    }
    clock.set(now + later);
    Answer then = Answer.of(limiter.peek(key, permits));
    clock.set(now);
    if (then.allowed() != allowed) {
      throw new AssertionError(
          "%s: %s%n  %d us later: %s%n  %s"
              .formatted(problem, answer, later, then, limiter.policy()));
    }
  }

  private void checkReset(String key, Answer answer) {
    for (int i = 0; i < answer.limits().size(); i++) {
      Answer.OfLimit said = answer.limits().get(i);
      long capacity = limiter.policy().limits().get(i).limit().capacity();
      long at = said.resetAfter();
      require(
          remaining(key, i, at, capacity) == capacity, "something used after the reset", answer);
      require(
          at == 0 || remaining(key, i, at - 1, 0) < capacity, "as fresh before the reset", answer);
    }
  }

  private void checkNext(String key, Answer answer) {
    for (int i = 0; i < answer.limits().size(); i++) {
      Answer.OfLimit said = answer.limits().get(i);
      long at = said.nextPermitAfter();
      if (at > 0) {
        long now = said.remaining();
        require(remaining(key, i, at, now + 1) > now, "no permit when promised", answer);
        require(remaining(key, i, at - 1, now) == now, "a permit before promised", answer);
      }
    }
  }

  /** What a limit has left at a later time, or {@code beyond} where the clock does not reach. */
  private long remaining(String key, int index, long later, long beyond) {
    long now = clock.now();
    if (later > ManualClock.LATEST - now) {
      return beyond;
    }
    clock.set(now + later);
    long remaining = limiter.peek(key, 0).limits().get(index).remaining();
    clock.set(now);
    return remaining;
  }

  /** Spends what is left, as single permits where these are few, and finds no more. */
  public void spend(String key, Answer answer) {
    long left = answer.remaining();
    if (left > MOST_SINGLES) {
      long atOnce = left - MOST_SINGLES;
      require(limiter.tryAcquire(key, atOnce).allowed(), "remaining cannot be spent", answer);
      left = MOST_SINGLES;
    }
    for (; left > 0; left--) {
      require(limiter.tryAcquire(key).allowed(), "remaining cannot be spent", answer);
    }
    require(!limiter.tryAcquire(key).allowed(), "more than remaining can be spent", answer);
  }

  private void require(boolean holds, String problem, Answer answer) {
    if (!holds) {
      throw new AssertionError(problem + ": " + answer + " of " + limiter.policy());
    }
  }
}
