package dev.weir.testkit;

import dev.weir.Decision;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Asks a limiter and checks after every call that the key lives at least until its state equals a
 * fresh one, and not longer than documented; never for ever, and never 0. Failures are {@link
 * AssertionError}s. Of a store without expiry there is nothing to check.
 */
public final class ExpiryChecker extends LimiterSubject {

  private final LimiterHarness harness;
  private final RateLimiter limiter;

  /** Keys whose expiry was set under the policy that now judges; others may expire too early. */
  private final Set<String> current = new HashSet<>();

  /** A checker of a limiter of the harness. */
  public ExpiryChecker(LimiterHarness harness, RateLimiter limiter) {
    super(limiter);
    this.harness = harness;
    this.limiter = limiter;
  }

  @Override
  public Answer tryAcquire(String key, long permits) {
    Decision decision = limiter.tryAcquire(key, permits);
    check(key, Answer.of(decision), permits > 0 && decision.allowed());
    return noted(key, decision);
  }

  @Override
  public Answer charge(String key, long permits) {
    Answer answer = super.charge(key, permits);
    check(key, answer, permits > 0 && answer.allowed());
    return answer;
  }

  @Override
  public Answer refund(String key, long permits) {
    return checked(key, super.refund(key, permits));
  }

  @Override
  public Answer giveBack(String key, int back, long permits) {
    return checked(key, super.giveBack(key, back, permits));
  }

  @Override
  public Answer reserve(String key, long permits, long lifeMicros) {
    Answer answer = super.reserve(key, permits, lifeMicros);
    check(key, answer, answer.allowed());
    return answer;
  }

  @Override
  public Answer settle(String key, int back, long permits) {
    return checked(key, super.settle(key, back, permits));
  }

  /** Of what may or may not have written. */
  private Answer checked(String key, Answer answer) {
    check(key, answer, false);
    return answer;
  }

  @Override
  public Answer peek(String key, long permits) {
    Decision decision = limiter.peek(key, permits);
    check(key, Answer.of(decision), false);
    return Answer.of(decision);
  }

  @Override
  public void reset(String key) {
    limiter.reset(key);
    if (harness.hasExpiry() && timeToLive(key).isPresent()) {
      throw new AssertionError("the key is still there after reset: " + limiter.policy());
    }
  }

  @Override
  public void changePolicy(RateLimitPolicy policy) {
    super.changePolicy(policy);
    current.clear();
  }

  private OptionalLong timeToLive(String key) {
    return harness.timeToLiveMicros(limiter.policy(), key);
  }

  private void check(String key, Answer answer, boolean wrote) {
    if (!harness.hasExpiry()) {
      return;
    }
    if (wrote) {
      current.add(key);
    }
    OptionalLong lives = timeToLive(key);
    if (lives.isEmpty()) {
      require(
          answer.resetAfter() == 0 || !current.contains(key),
          "no key, though something is used",
          answer,
          0);
      return;
    }
    long micros = lives.getAsLong();
    require(micros != Long.MAX_VALUE, "lives for ever", answer, micros);
    require(micros > 0, "not above 0", answer, micros);
    require(
        !current.contains(key) || micros >= answer.resetAfter(),
        "shorter than the state matters",
        answer,
        micros);
    require(
        !wrote || micros <= answer.resetAfter() + harness.expirySlackMicros(),
        "longer than documented",
        answer,
        micros);
  }

  private void require(boolean holds, String problem, Answer answer, long micros) {
    if (!holds) {
      throw new AssertionError(
          "time to live of %d us is %s: %s of %s"
              .formatted(micros, problem, answer, limiter.policy()));
    }
  }
}
