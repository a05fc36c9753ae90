package dev.weir;

import java.util.Locale;

/** Where a decision came from. */
public enum Source {
  /** The in-process store. */
  MEMORY,
  /** A script on Redis. */
  REDIS;

  private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

  /** The word for it in answers and metrics: lower case, with hyphens. */
  public String word() {
    return word;
  }
}
