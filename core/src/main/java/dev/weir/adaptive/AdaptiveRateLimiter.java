package dev.weir.adaptive;

import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiterException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Limits calls by a policy and by how their subjects behave. Safe for use by any number of threads.
 *
 * <pre>{@code
 * CallReader.Read read = reader.read("GET", path, null, false, agent, null, null, 1);
 * AdaptiveVerdict verdict = limiter.decide(SubjectCall.of(address, read.call()));
 * if (!verdict.allowed()) { ... verdict.retryAfterMicros() ... }
 * ... answer the request ...
 * limiter.report(address, read.outcome(status, false));
 * }</pre>
 *
 * <p>The limiter's own refusals are never reported as outcomes. What cannot be decided because the
 * store is away is decided by the failure mode of the limits; behaviour is not known then, and the
 * tier is normal.
 */
public interface AdaptiveRateLimiter {

  /** The limits. */
  RateLimitPolicy limits();

  /** How they adapt. */
  AdaptivePolicy policy();

  /**
   * Judges a call, and charges it if it may go on.
   *
   * @return the verdict; or {@link RateLimiterException} for mistakes that no failure mode answers
   */
  CompletableFuture<AdaptiveVerdict> decideAsync(SubjectCall call);

  /** What {@link #decideAsync} would answer. Changes nothing. */
  CompletableFuture<AdaptiveVerdict> peekAsync(SubjectCall call);

  /**
   * Notes how the application answered calls that were allowed, the oldest first. Whoever does not
   * wait for the answer may ignore it: what cannot be noted is lost, and no call fails for it.
   *
   * @return how the subject stands after it
   */
  CompletableFuture<Standing> reportAsync(String subject, List<Outcome> outcomes);

  /** What is known of a subject, and why. Changes nothing. */
  CompletableFuture<Explanation> explainAsync(String subject);

  /** Forgets a subject: its behaviour, and what it used of all limits. */
  CompletableFuture<Void> resetAsync(String subject);

  /** As {@link #decideAsync}, and waits for it, in bounded time. */
  default AdaptiveVerdict decide(SubjectCall call) {
    return await(decideAsync(call));
  }

  /** As {@link #peekAsync}, and waits for it, in bounded time. */
  default AdaptiveVerdict peek(SubjectCall call) {
    return await(peekAsync(call));
  }

  /** As {@link #reportAsync}, of one outcome; does not wait. */
  default void report(String subject, Outcome outcome) {
    CompletableFuture<Standing> unused = reportAsync(subject, List.of(outcome));
  }

  /** As {@link #explainAsync}, and waits for it, in bounded time. */
  default Explanation explain(String subject) {
    return await(explainAsync(subject));
  }

  private static <T> T await(CompletableFuture<T> answer) {
    try {
      return answer.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RateLimiterException known
          ? known
          : new RateLimiterException("no answer: " + e.getCause(), e.getCause());
    }
  }
}
