package dev.weir;

import java.util.Locale;

/** Where a decision came from. */
public enum Source {
  /** The in-process store. */
  MEMORY,
  /** A script on Redis. */
  REDIS,
  /** Nobody: the store did not answer, and the policy allows then. */
  DEGRADED_OPEN,
  /** Nobody: the store did not answer, and the policy refuses then. */
  DEGRADED_CLOSED,
  /** A limiter in this process, since the store did not answer. */
  DEGRADED_LOCAL;

  private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

  /** The word for it in answers and metrics: lower case, with hyphens. */
  public String word() {
    return word;
  }

  /** Whether the store did not answer and the policy's {@link FailureMode} did. */
  public boolean isDegraded() {
    return this != MEMORY && this != REDIS;
  }
}
