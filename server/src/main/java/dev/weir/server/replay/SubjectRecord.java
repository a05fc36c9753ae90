package dev.weir.server.replay;

import dev.weir.adaptive.AdaptiveState;
import dev.weir.adaptive.Explanation;
import dev.weir.adaptive.Tier;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What happened to one subject in a replay. Mutable, of one thread. */
final class SubjectRecord {

  private static final int MOST_CHANGES = 40;

  final String name;
  final String label;
  AdaptiveState state = AdaptiveState.FRESH;
  long requests;
  long deniedByLimits;
  long refusedByTier;
  long blocks;
  Tier highest = Tier.NORMAL;

  /** The number of the request at which the subject became suspicious; 0 if it never did. */
  long flaggedAtRequest;

  long flaggedAtMicros;
  long firstMicros;
  long lastMicros;

  /** Why, when the risk was highest. */
  @Nullable Explanation worst;

  /** The tiers it went through, as far as there is room. */
  final List<Change> changes = new ArrayList<>();

  private Tier tier = Tier.NORMAL;

  SubjectRecord(String name, String label) {
    this.name = name;
    this.label = label;
  }

  /** A tier that was entered, with its reasons. */
  record Change(long atMicros, long request, Explanation explanation) {}

  Tier tier() {
    return tier;
  }

  /** Notes the tier after a step. The explanation is asked for only if it is needed. */
  void note(Tier now, long atMicros, java.util.function.Supplier<Explanation> explain) {
    boolean riskier = worst == null ? now != Tier.NORMAL : now.level() > worst.tier().level();
    if (now == tier && !riskier) {
      return;
    }
    Explanation explanation = explain.get();
    if (now != tier && changes.size() < MOST_CHANGES) {
      changes.add(new Change(atMicros, requests, explanation));
    }
    if (now == Tier.BLOCKED && tier != Tier.BLOCKED) {
      blocks++;
    }
    if (riskier) {
      worst = explanation;
    }
    tier = now;
    highest = now.level() > highest.level() ? now : highest;
    if (flaggedAtRequest == 0 && now.level() >= Tier.SUSPICIOUS.level()) {
      flaggedAtRequest = requests;
      flaggedAtMicros = atMicros;
    }
  }

  boolean isFlagged() {
    return flaggedAtRequest > 0;
  }
}
