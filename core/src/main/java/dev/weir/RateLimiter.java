package dev.weir;

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
