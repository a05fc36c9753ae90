package dev.weir.redis;

import dev.weir.FailureCause;
import dev.weir.RateLimiterException;
import org.jspecify.annotations.Nullable;

/** A call that the limiter gave up itself, with the cause it knows. */
final class RedisFailure extends RateLimiterException {

  private static final long serialVersionUID = 1L;

  private final FailureCause failureCause;

  RedisFailure(FailureCause failureCause, String message) {
    super(message, null);
    this.failureCause = failureCause;
  }

  FailureCause cause() {
    return failureCause;
  }

  /** Whether the node does not know the script: proof that nothing of the call was carried out. */
  static boolean isUnknownScript(Throwable failure) {
    @Nullable String message = Failures.root(failure).getMessage();
    return message != null && message.startsWith("NOSCRIPT");
  }
}
