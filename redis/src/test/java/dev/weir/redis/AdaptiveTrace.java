package dev.weir.redis;

import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.adaptive.AdaptivePolicy;
import dev.weir.adaptive.AdaptivePolicy.Mode;
import dev.weir.adaptive.Call;
import dev.weir.adaptive.Outcome;
import dev.weir.adaptive.Setting;
import dev.weir.adaptive.SubjectCall;
import dev.weir.adaptive.Tier;
import dev.weir.adaptive.Treatment;
import dev.weir.testkit.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random policies, calls and outcomes that reach every tier. */
final class AdaptiveTrace {

  private static final int[] STATUSES = {200, 200, 200, 401, 403, 404, 404, 404, 410, 500, 503};
  private static final long[] STEPS = {
    0, 0, 1, 40_000, 100_000, 150_000, 1_000_000, 1_300_000, 7_000_000, 31_000_000
  };
  private static final long[] LEAPS = {
    -3_000_000, 90_000_000, 660_000_000, 1_000_000_000, 4_000_000_000L, 90_000_000_000L
  };

  private final Random random;

  AdaptiveTrace(Random random) {
    this.random = random;
  }

  RateLimitPolicy limits(String name) {
    RateLimitPolicy.Builder builder = RateLimitPolicy.builder(name);
    Shape[] shapes = Shape.values();
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      Duration per = Duration.ofMillis(500 + random.nextInt(60_000));
      Limit limit = shapes[random.nextInt(shapes.length)].of(1 + random.nextInt(40), per);
      builder.limit(limit);
    }
    return builder.build();
  }

  AdaptivePolicy policy() {
    AdaptivePolicy.Builder builder =
        AdaptivePolicy.builder().mode(random.nextInt(4) == 0 ? Mode.SHADOW : Mode.ENFORCE);
    if (random.nextBoolean()) {
      builder
          .percentage(random.nextInt(101))
          .set(Setting.UNMATCHED_HALF_LIFE, 1 + random.nextInt(3_000) / 10.0)
          .set(Setting.BURST_EXPECTED, 1 + random.nextInt(20))
          .set(Setting.EVIDENCE_POINTS, random.nextInt(20))
          .set(Setting.SUSPICIOUS_FACTOR, 0.05 + random.nextInt(90) / 100.0)
          .set(Setting.DWELL, random.nextInt(100))
          .set(Setting.FIRST_BLOCK, 1 + random.nextInt(400) / 10.0);
    }
    return builder.build();
  }

  /** How far the time goes until the next event. */
  long step() {
    long[] from = random.nextInt(150) == 0 ? LEAPS : STEPS;
    return from[random.nextInt(from.length)];
  }

  SubjectCall call(String subject) {
    int seen = random.nextInt(3) == 0 ? 2_000 : 6;
    int flags = random.nextInt(64);
    Call call =
        new Call(
            hash(random.nextInt(seen)),
            hash(random.nextInt(seen)),
            hash(random.nextInt(seen)),
            random.nextInt(4) == 0 ? random.nextInt(1_000) / 7.0 + 0.1 : 1,
            (flags & 1) != 0 && random.nextBoolean(),
            (flags & 2) != 0 && random.nextInt(4) == 0,
            (flags & 4) != 0 && random.nextInt(4) == 0,
            (flags & 8) != 0,
            (flags & 16) != 0 && random.nextInt(3) == 0,
            (flags & 32) != 0,
            random.nextInt(3) == 0 ? hash(random.nextInt(4)) : 0,
            random.nextInt(3) == 0 ? hash(random.nextInt(5)) : 0);
    SubjectCall asked = SubjectCall.of(subject, call).treatment(treatment());
    if (random.nextInt(6) == 0) {
      asked = asked.permits(random.nextInt(6));
    }
    return random.nextInt(4) == 0 ? asked.after(outcomes()) : asked;
  }

  private Treatment treatment() {
    int kind = random.nextInt(60);
    return switch (kind) {
      case 0 -> new Treatment(Treatment.Kind.EXEMPT, Tier.NORMAL, "");
      case 1 -> new Treatment(Treatment.Kind.REFUSED, Tier.NORMAL, "");
      case 2 -> new Treatment(Treatment.Kind.LIMITED, Tier.NORMAL, "");
      case 3 -> new Treatment(Treatment.Kind.WATCHED, Tier.NORMAL, "");
      case 4 -> new Treatment(Treatment.Kind.PINNED, Tier.of(random.nextInt(4)), "");
      default -> Treatment.JUDGED;
    };
  }

  List<Outcome> outcomes() {
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      outcomes.add(
          new Outcome(
              STATUSES[random.nextInt(STATUSES.length)],
              hash(random.nextInt(2_000)),
              random.nextInt(8) == 0,
              random.nextInt(12) == 0,
              random.nextInt(8) == 0,
              random.nextInt(3) == 0));
    }
    return outcomes;
  }

  private static int hash(int number) {
    return number * 0x9E3779B1 ^ 0x5bd1e995;
  }
}
