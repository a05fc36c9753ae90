package dev.weir.adaptive;

import java.util.List;
import java.util.Locale;

/** What is watched of a subject's behaviour. Formulas, defaults and reasons: docs/adaptive.md. */
public enum Signal {
  /** Distinct paths that do not exist, in minutes. */
  UNMATCHED(0, false),
  /** The same over an hour. */
  SLOW_SCAN(1, false),
  /** Tripwires over days. */
  PROBES(2, false),
  /** Answers 401 and 403 where people sign in. */
  AUTH_FAILURES(3, false),
  /** Many requests in seconds. */
  BURST(4, true),
  /** The same request again and again. */
  REPEAT(5, true),
  /** Many routes that are new to the subject. */
  NEW_ROUTES(6, true),
  /** Calls made before the advertised time to retry. */
  DENIALS(7, true),
  /** No user agent. */
  MISSING_AGENT(8, true);

  /** How many signals there are. */
  static final int COUNT = 9;

  private static final List<Signal> BY_INDEX = List.of(values());

  private final int index;
  private final boolean soft;

  Signal(int index, boolean soft) {
    this.index = index;
    this.soft = soft;
  }

  int index() {
    return index;
  }

  static Signal of(int index) {
    return BY_INDEX.get(index);
  }

  /** Whether the signal is soft: one of them alone never lifts a subject above normal. */
  public boolean isSoft() {
    return soft;
  }

  /** The signal's name in lower case with hyphens. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
