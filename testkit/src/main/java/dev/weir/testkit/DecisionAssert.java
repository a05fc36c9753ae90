package dev.weir.testkit;

import dev.weir.Decision;
import dev.weir.FailureCause;
import java.time.Duration;
import java.util.Optional;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * Assertions about decisions, for AssertJ.
 *
 * <pre>{@code
 * assertThat(limiter.tryAcquire("alice")).isAllowed().hasRemaining(4);
 * assertThat(limiter.tryAcquire("bob")).isRefusedBy("per-minute").retriesAfter(ofSeconds(12));
 * }</pre>
 */
public final class DecisionAssert extends AbstractAssert<DecisionAssert, Decision> {

  private DecisionAssert(@Nullable Decision actual) {
    super(actual, DecisionAssert.class);
  }

  /** Assertions about a decision. */
  public static DecisionAssert assertThat(@Nullable Decision actual) {
    return new DecisionAssert(actual);
  }

  /** The call may go on. */
  public DecisionAssert isAllowed() {
    isNotNull();
    if (!actual.allowed()) {
      failWithMessage("expected an allowed call, and it was %s", actual);
    }
    return this;
  }

  /** The call is refused. */
  public DecisionAssert isRefused() {
    isNotNull();
    if (actual.allowed()) {
      failWithMessage("expected a refused call, and it was %s", actual);
    }
    return this;
  }

  /** The call is refused, and the limit of that name has the longest wait. */
  public DecisionAssert isRefusedBy(String limit) {
    isRefused();
    if (!actual.limitedBy().equals(Optional.of(limit))) {
      failWithMessage("expected a call refused by '%s', and it was %s", limit, actual);
    }
    return this;
  }

  /** So many single permits can be spent now. */
  public DecisionAssert hasRemaining(long remaining) {
    isNotNull();
    if (actual.remaining() != remaining) {
      failWithMessage(
          "expected %s remaining, and there were %s: %s", remaining, actual.remaining(), actual);
    }
    return this;
  }

  /** The refused call is admitted after exactly that time. */
  public DecisionAssert retriesAfter(Duration wait) {
    isRefused();
    if (actual.retryAfter().isNever() || !actual.retryAfter().toDuration().equals(wait)) {
      failWithMessage("expected a wait of %s, and it was %s", wait, actual.retryAfter());
    }
    return this;
  }

  /** The refused call is never admitted. */
  public DecisionAssert neverRetries() {
    isRefused();
    if (!actual.retryAfter().isNever()) {
      failWithMessage("expected to wait for ever, and it was %s", actual.retryAfter());
    }
    return this;
  }

  /** The store did not decide, for that reason, and the policy's failure mode did. */
  public DecisionAssert isDegradedBy(FailureCause cause) {
    isNotNull();
    if (!actual.failure().equals(Optional.of(cause))) {
      failWithMessage("expected a decision degraded by %s, and it was %s", cause.word(), actual);
    }
    return this;
  }

  /** The store decided. */
  public DecisionAssert isNotDegraded() {
    isNotNull();
    if (actual.source().isDegraded()) {
      failWithMessage("expected a decision of the store, and it was %s", actual);
    }
    return this;
  }
}
