package dev.weir;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

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
 * <tr><td>{@link #charge(String, long) charge}</td>
 *     <td>charges whatever is free: what is beyond a limit is owed</td></tr>
 * <tr><td>{@link #refund(String, Charge) refund}</td>
 *     <td>gives back what was charged</td></tr>
 * <tr><td>{@link #reserve(String, long, Duration) reserve}</td>
 *     <td>asks and charges, to be {@linkplain #settle(Reservation, long) settled} at the real cost
 *     or {@linkplain #cancel(Reservation) cancelled} once</td></tr>
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
   * Charges permits whether they are free or not, for a cost that is known only afterwards. What is
   * beyond a limit is owed: a bucket pays it back at its rate before it admits again, a window
   * counts it until its end. At most {@link Limit#MAX_PERMITS} can be owed.
   *
   * @param key whom to charge
   * @param permits how many, 0 to {@link Limit#MAX_PERMITS}
   * @return allowed, with what is left; refused with a wait of {@link Wait#NEVER} and nothing
   *     charged if a limit cannot keep such a debt
   * @throws RateLimiterException if the store did not answer
   */
  default Decision charge(String key, long permits) {
    return Answers.await(chargeAsync(key, permits));
  }

  /** As {@link #charge(String, long)}, without waiting for the answer. */
  CompletableFuture<Decision> chargeAsync(String key, long permits);

  /**
   * Gives back the newest permits in use, whoever was charged them. Prefer {@link #refund(String,
   * Charge)}, which knows what is left of a charge. More than is in use gives back what is in use.
   *
   * @param permits how many, 0 to {@link Limit#MAX_PERMITS}
   * @return the limits after it, as an allowed decision of 0 permits
   * @throws RateLimiterException if the store did not answer
   */
  default Decision refund(String key, long permits) {
    return Answers.await(refundAsync(key, permits));
  }

  /** As {@link #refund(String, long)}, without waiting for the answer. */
  CompletableFuture<Decision> refundAsync(String key, long permits);

  /**
   * Gives back what a call was charged, or a {@linkplain Charge#part part} of it: what is left of
   * it under each limit, and nothing once the charge has expired there. A charge that is given back
   * twice is not noticed; a {@linkplain #reserve reservation} is settled once.
   *
   * @param key whom the call charged
   * @param charge from {@link Decision#charge()}
   * @return the limits after it, as an allowed decision of 0 permits
   * @throws RateLimiterException if the store did not answer
   */
  default Decision refund(String key, Charge charge) {
    return Answers.await(refundAsync(key, charge));
  }

  /** As {@link #refund(String, Charge)}, without waiting for the answer. */
  CompletableFuture<Decision> refundAsync(String key, Charge charge);

  /**
   * Asks for permits and charges them as {@link #tryAcquire(String, long) tryAcquire} does, to be
   * settled later. A reservation that is never settled stays charged in full; after {@code
   * expiresAfter} it cannot be settled any more.
   *
   * @param key whom to charge
   * @param permits how many, 1 to {@link Limit#MAX_PERMITS}
   * @param expiresAfter {@link Reservation#MIN_LIFE} to {@link Reservation#MAX_LIFE}
   * @return the reservation; nothing is reserved if its decision is a refusal
   * @throws RateLimiterException if the store did not answer
   */
  default Reservation reserve(String key, long permits, Duration expiresAfter) {
    return Answers.await(reserveAsync(key, permits, expiresAfter));
  }

  /** As {@link #reserve(String, long, Duration)}, without waiting for the answer. */
  CompletableFuture<Reservation> reserveAsync(String key, long permits, Duration expiresAfter);

  /**
   * Ends a reservation at its real cost. Less than was reserved is given back as by {@link
   * #refund(String, Charge)}; more is charged as by {@link #charge(String, long)}. Permits held
   * under a {@link Concurrency} limit are free again. The second time, and for a reservation that
   * has expired, it changes nothing and says so.
   *
   * @param key whose reservation it is
   * @param reservationId its {@link Reservation#id()}
   * @param permits the real cost, 0 to {@link Limit#MAX_PERMITS}
   * @throws IllegalArgumentException if the id is not of the form of one
   * @throws RateLimiterException if the store did not answer
   */
  default Settlement settle(String key, String reservationId, long permits) {
    return Answers.await(settleAsync(key, reservationId, permits));
  }

  /** As {@link #settle(String, String, long)}, without waiting for the answer. */
  CompletableFuture<Settlement> settleAsync(String key, String reservationId, long permits);

  /** Ends a reservation that is held: {@code settle(reservation.key(), reservation.id(), cost)}. */
  default Settlement settle(Reservation reservation, long permits) {
    return settle(reservation.key(), reservation.id(), permits);
  }

  /** Gives back all of a reservation: settles it at a cost of 0. */
  default Settlement cancel(String key, String reservationId) {
    return settle(key, reservationId, 0);
  }

  /** Gives back all of a reservation that is held: settles it at a cost of 0. */
  default Settlement cancel(Reservation reservation) {
    return settle(reservation, 0);
  }

  /**
   * Forgets everything charged to the key under this policy; its next call meets a fresh key.
   *
   * @throws RateLimiterException if the store did not answer
   */
  void reset(String key);

  /** As {@link #reset(String)}, without waiting for the answer. */
  CompletableFuture<Void> resetAsync(String key);

  /**
   * What decides calls on several keys at once, for {@link JointLimiter}; for stores.
   *
   * @param key one of the keys
   * @return equal objects for keys that one of them can decide together; {@code null} if this
   *     limiter's keys are decided one by one
   */
  default @Nullable JointStore jointStore(String key) {
    return null;
  }
}
