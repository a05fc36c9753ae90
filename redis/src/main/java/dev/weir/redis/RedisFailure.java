package dev.weir.redis;

import dev.weir.RateLimiterException;
import org.jspecify.annotations.Nullable;

/** A command that Redis or its client did not carry out, or did not answer. */
final class RedisFailure extends RateLimiterException {

  private static final long serialVersionUID = 1L;

  RedisFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  static RateLimiterException of(Throwable cause) {
    return cause instanceof RateLimiterException known
        ? known
        : new RedisFailure("Redis did not decide: " + cause.getMessage(), cause);
  }

  /** Whether the node does not know the script: proof that nothing of the call was carried out. */
  static boolean isUnknownScript(Throwable failure) {
    Throwable cause = failure.getCause();
    return cause != null && cause.getMessage() != null && cause.getMessage().startsWith("NOSCRIPT");
  }
}
