package dev.weir.server.live;

import java.util.Locale;

/** What is counted. */
public enum Figure {
  /** Requests that were decided. */
  REQUESTS(0),
  /** Those that could go on. */
  ALLOWED(1),
  /** Those that a limit refused, or would have under a policy in shadow. */
  LIMITED(2),
  /** Those that a tier or somebody's decision refused, or would have. */
  BLOCKED(3),
  /** Subjects that went up a tier. */
  ANOMALIES(4),
  /** Requests that a failure mode decided, since the store did not. */
  DEGRADED(5);

  private final int index;

  Figure(int index) {
    this.index = index;
  }

  int index() {
    return index;
  }

  /** The name in answers. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
