package dev.weir;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Applies one {@link RateLimitPolicy} to any number of keys.
 *
 * <p>A key is whom the policy is applied to: a user, an address, a tenant. Any text is a key, also
 * the empty one; two different texts never share state. The permits of a call are its cost.
 *
 * <table>
 * <caption>What a call does</caption>
 * <tr><td>{@link #tryAcquire(String, long) tryAcquire}</td>
 *     <td>asks and, if allowed, charges; a refusal charges nothing</td></tr>
 * <tr><td>{@link #acquire(String, long, Duration) acquire}</td>
 *     <td>asks and, if refused, waits its turn and asks again, for a bounded time</td></tr>
 * <tr><td>{@link #peek(String, long) peek}</td>
 *     <td>asks; charges nothing and writes nothing</td></tr>
 * <tr><td>{@link #reset(String) reset}</td>
 *     <td>forgets what was charged to the key</td></tr>
 * </table>
 *
 * <p>Implementations are safe for use by any number of threads, virtual ones too: no monitor is
 * held while waiting. All callers of one store see one order of decisions, so that together they
 * are admitted exactly what a single caller would be.
 *
 * <p>Arguments are judged before anything is sent: a {@code null} key is a {@link
 * NullPointerException}, a negative number of permits or one above {@link Limit#MAX_PERMITS} an
 * {@link IllegalArgumentException}. The asynchronous calls throw these at once as well; everything
 * that happens later is reported through the future.
 */
public interface RateLimiter {

  /** The policy that the next call will be judged by. */
  RateLimitPolicy policy();

  /**
   * Replaces the policy; the next call is judged by the new one. What was used is kept, counted in
   * permits and clamped to the new limit: raising a limit never refuses who was admitted before,
   * lowering it never gives a free burst, the same policy again changes nothing.
   *
   * @param policy the new policy, with the {@linkplain RateLimitPolicy#name() name} of the old one
   * @throws IllegalArgumentException if the name differs
   */
  void changePolicy(RateLimitPolicy policy);

  /** Asks for one permit: {@code tryAcquire(key, 1)}. */
  default Decision tryAcquire(String key) {
    return tryAcquire(key, 1);
  }

  /**
   * Asks for permits and charges them if every limit of the policy admits them, or none.
   *
   * @param key whom to charge
   * @param permits how many, 0 to {@link Limit#MAX_PERMITS}; 0 is a look: it is always allowed and
   *     writes nothing; more than a limit can ever hold is refused with a wait of {@link
   *     Wait#NEVER}
   * @return the decision, never {@code null}
   * @throws RateLimiterException if the store did not answer
   */
  Decision tryAcquire(String key, long permits);

  /** Asks for one permit without waiting for the answer: {@code tryAcquireAsync(key, 1)}. */
  default CompletableFuture<Decision> tryAcquireAsync(String key) {
    return tryAcquireAsync(key, 1);
  }

  /**
   * As {@link #tryAcquire(String, long)}, without waiting for the answer. The future completes
   * exceptionally with a {@link RateLimiterException} if the store does not answer; cancelling it
   * does not take back a charge.
   */
  CompletableFuture<Decision> tryAcquireAsync(String key, long permits);

  /** Waits for one permit: {@code acquire(key, 1, timeout)}. */
  default Decision acquire(String key, Duration timeout) {
    return acquire(key, 1, timeout);
  }

  /**
   * Waits until the permits are admitted, for as long as the timeout at most, and charges them then
   * as {@link #tryAcquire(String, long)} does: by one decision that charges all limits or none. A
   * caller that waits holds nothing, so one that gives up was not charged and delays nobody.
   *
   * <p><b>Order.</b> The waiting callers of one limiter are served first come, first served for
   * each key; a later one never passes an earlier one, however little it asks for, and keys do not
   * hold up each other. {@code tryAcquire} does not queue: it may take what others wait for. So may
   * other limiters and processes on the same store, among which who asks first is served first.
   *
   * <p><b>Refusal.</b> The refused decision comes at once, without waiting, if it is known that the
   * call cannot be admitted in time: the limit can never hold the cost, the wait is longer than the
   * timeout, or those ahead take too long if none of them gives up. Otherwise it comes when the
   * timeout is over. Its {@link Decision#retryAfter()} is then, for one behind others, no more than
   * a lower bound. At most 100,000 callers of a limiter wait; a further one behind others is
   * refused at once.
   *
   * <p>The call returns within the timeout and the time that a decision takes. If the store does
   * not decide, the policy's {@link FailureMode} does, and a call refused by it asks again. The
   * {@linkplain Decision#delay() delay} of a shaping bucket is not waited for: that is left to the
   * caller, and comes on top of the timeout.
   *
   * @param key whom to charge
   * @param permits how many, 0 to {@link Limit#MAX_PERMITS}; 0 is a look, which never waits
   * @param timeout how long to wait at most, from now until the store is asked for the last time;
   *     zero or less is {@code tryAcquire}; there is no upper bound
   * @return the decision: allowed and charged, or refused and not charged
   * @throws RateLimiterException if the store did not answer; or if the thread is interrupted, be
   *     it before or during the call: then nothing was charged and the thread's interrupt flag is
   *     set. If the interrupt comes just when the call is admitted, the decision is returned, with
   *     the flag set
   */
  default Decision acquire(String key, long permits, Duration timeout) {
    return WaitingCall.await(() -> acquireAsync(key, permits, timeout));
  }

  /** Waits for one permit without blocking: {@code acquireAsync(key, 1, timeout)}. */
  default CompletableFuture<Decision> acquireAsync(String key, Duration timeout) {
    return acquireAsync(key, 1, timeout);
  }

  /**
   * As {@link #acquire(String, long, Duration)}, without blocking. Cancelling the future ends the
   * waiting and charges nothing; {@code cancel} returns {@code false} if the store is being asked
   * for the call at that moment, and the future then completes with the decision if it is allowed,
   * and as cancelled otherwise. Completed from outside in any other way, such as by {@code
   * orTimeout}, it stops waiting too, but a call that is being asked for may be charged.
   *
   * <p>What is attached to the future of a call that waited runs on the default executor of {@link
   * CompletableFuture}.
   */
  CompletableFuture<Decision> acquireAsync(String key, long permits, Duration timeout);

  /** Asks what {@code tryAcquire(key, 1)} would answer: {@code peek(key, 1)}. */
  default Decision peek(String key) {
    return peek(key, 1);
  }

  /**
   * Asks what {@link #tryAcquire(String, long) tryAcquire(key, permits)} would answer, and changes
   * nothing: no charge, no anchor, no expiry. {@link Decision#remaining()} is what can be spent
   * now.
   *
   * @throws RateLimiterException if the store did not answer
   */
  Decision peek(String key, long permits);

  /** As {@link #peek(String, long)}, without waiting for the answer. */
  CompletableFuture<Decision> peekAsync(String key, long permits);

  /**
   * Forgets everything charged to the key under this policy; its next call meets a fresh key.
   *
   * @throws RateLimiterException if the store did not answer
   */
  void reset(String key);

  /** As {@link #reset(String)}, without waiting for the answer. */
  CompletableFuture<Void> resetAsync(String key);
}
