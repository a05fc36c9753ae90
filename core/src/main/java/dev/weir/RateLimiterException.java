package dev.weir;

import org.jspecify.annotations.Nullable;

/** The root of what a rate limiter throws when it could not decide. Unchecked. */
public class RateLimiterException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception.
   *
   * @param message what was wrong, and what to do about it
   * @param cause what the store or its client threw, or {@code null}
   */
  public RateLimiterException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
