package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.FailureCause;
import dev.weir.RateLimiterException;
import dev.weir.Source;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What the calls of one cell of the fault table were answered. */
final class FaultOutcome {

  private final List<FailureCause> causes;
  private final Set<Source> sources = EnumSet.noneOf(Source.class);
  private final List<String> wrongCauses = new ArrayList<>();
  private long asked;
  private long inTime;
  private long degraded;
  private long thrown;
  private long allowed;
  private long allowedByRedis;

  /** For calls that may fail for these causes alone. */
  FaultOutcome(List<FailureCause> causes) {
    this.causes = causes;
  }

  void add(Decision decision) {
    sources.add(decision.source());
    allowed += decision.allowed() ? 1 : 0;
    if (decision.source().isDegraded()) {
      degraded++;
      if (!causes.contains(decision.failure().orElseThrow())) {
        wrongCauses.add(decision.toString());
      }
    } else {
      allowedByRedis += decision.allowed() ? 1 : 0;
    }
  }

  void add(RateLimiterException e) {
    thrown++;
    if (!FaultCall.isOf(causes, String.valueOf(e.getMessage()))) {
      wrongCauses.add(String.valueOf(e.getMessage()));
    }
  }

  void took(boolean withinBudget) {
    asked++;
    inTime += withinBudget ? 1 : 0;
  }

  long asked() {
    return asked;
  }

  long inTime() {
    return inTime;
  }

  long degraded() {
    return degraded;
  }

  long thrown() {
    return thrown;
  }

  long byRedis() {
    return asked - degraded - thrown;
  }

  long allowed() {
    return allowed;
  }

  long allowedByRedis() {
    return allowedByRedis;
  }

  Set<Source> sources() {
    return sources;
  }

  List<String> wrongCauses() {
    return wrongCauses;
  }
}
