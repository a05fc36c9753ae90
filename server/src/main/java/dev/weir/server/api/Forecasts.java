package dev.weir.server.api;

import dev.weir.adaptive.AdaptivePolicy;
import dev.weir.adaptive.Explanation;
import dev.weir.adaptive.Setting;
import dev.weir.adaptive.Tier;

/** What happens next to a subject, in words. */
final class Forecasts {

  private static final long MICROS_PER_MILLI = 1_000;
  private static final long MILLIS_PER_SECOND = 1_000;

  private Forecasts() {}

  static String of(Explanation why, AdaptivePolicy policy, long nowMillis) {
    if (policy.mode() == AdaptivePolicy.Mode.OFF) {
      return "The policy does not adapt: only its limits count.";
    }
    String strictness =
        policy.mode() == AdaptivePolicy.Mode.SHADOW
            ? " The adaptive layer is in shadow: this is told and changes nothing."
            : "";
    return tier(why, policy) + change(why, nowMillis) + strictness;
  }

  private static String tier(Explanation why, AdaptivePolicy policy) {
    return switch (why.tier()) {
      case NORMAL -> "The limits hold as they are.";
      case ELEVATED -> lowered(policy.get(Setting.ELEVATED_FACTOR));
      case SUSPICIOUS -> lowered(policy.get(Setting.SUSPICIOUS_FACTOR));
      case BLOCKED -> "Everything is refused.";
    };
  }

  private static String lowered(double factor) {
    return "The limits are lowered to " + Math.round(factor * 100) + "%.";
  }

  private static String change(Explanation why, long nowMillis) {
    if (why.next().isPresent()) {
      Explanation.Change next = why.next().get();
      long after = next.atMicros() / MICROS_PER_MILLI - nowMillis;
      return " If it stays away it is %s in %s.".formatted(next.tier().word(), span(after));
    }
    if (why.tier() == Tier.NORMAL) {
      return why.risk() >= 1 ? " Its risk falls by half each minute." : "";
    }
    return "";
  }

  private static String span(long millis) {
    long seconds = Math.max(1, (millis + MILLIS_PER_SECOND - 1) / MILLIS_PER_SECOND);
    if (seconds < 120) {
      return seconds + " s";
    }
    long minutes = (seconds + 59) / 60;
    if (minutes < 120) {
      return minutes + " min";
    }
    long hours = (minutes + 59) / 60;
    return hours < 48 ? hours + " h" : (hours + 23) / 24 + " days";
  }
}
