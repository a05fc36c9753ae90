package dev.weir.server.live;

import dev.weir.adaptive.Explanation;
import dev.weir.adaptive.Signal;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a signal means, for people. */
public final class SignalWords {

  private SignalWords() {}

  /** The signals with points, the most first. */
  public static String of(Explanation why) {
    return why.points().entrySet().stream()
        .map(it -> String.format(Locale.ROOT, "%s (%.0f)", of(it.getKey()), it.getValue()))
        .collect(Collectors.joining(", "));
  }

  /** A signal. */
  public static String of(Signal signal) {
    return switch (signal) {
      case UNMATCHED -> "asks for many things that do not exist";
      case SLOW_SCAN -> "has asked for many things that do not exist for an hour";
      case PROBES -> "asks for things that nobody asks for by accident, for days";
      case AUTH_FAILURES -> "fails to sign in again and again";
      case BURST -> "sends far more in seconds than usual";
      case REPEAT -> "repeats the same request";
      case NEW_ROUTES -> "goes through many routes that are new to it";
      case DENIALS -> "does not wait when it is told to";
      case MISSING_AGENT -> "does not say what program it is";
    };
  }
}
