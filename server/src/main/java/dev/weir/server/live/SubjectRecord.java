package dev.weir.server.live;

import dev.weir.adaptive.Tier;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** What was seen of a subject by this process. Under the lock of its part of the index. */
final class SubjectRecord {

  private static final int MOST_RISKS = 90;
  private static final long GENERATION_MILLIS = 300_000;

  final String policy;
  final String limits;
  final String key;
  final long firstMillis;
  long lastMillis;
  long requests;
  long refused;
  Tier tier = Tier.NORMAL;
  boolean isInGoodStanding = true;
  long askedAtMillis;
  private long generation;
  private int refusedNow;
  private int refusedBefore;
  private final Deque<RiskAt> risks = new ArrayDeque<>(0);

  SubjectRecord(String policy, String limits, String key, long nowMillis) {
    this.policy = policy;
    this.limits = limits;
    this.key = key;
    this.firstMillis = nowMillis;
  }

  void count(boolean isRefused, long nowMillis) {
    requests++;
    lastMillis = nowMillis;
    advance(nowMillis);
    if (isRefused) {
      refused++;
      refusedNow++;
    }
  }

  private void advance(long nowMillis) {
    long now = nowMillis / GENERATION_MILLIS;
    if (now > generation) {
      refusedBefore = now == generation + 1 ? refusedNow : 0;
      refusedNow = 0;
      generation = now;
    }
  }

  /** How many were refused in the last five to ten minutes. */
  int refusedLately(long nowMillis) {
    advance(nowMillis);
    return refusedNow + refusedBefore;
  }

  void risk(double risk, long nowMillis) {
    if (risks.size() >= MOST_RISKS) {
      risks.removeFirst();
    }
    risks.addLast(new RiskAt(nowMillis, risk));
  }

  List<RiskAt> risks() {
    return List.copyOf(risks);
  }
}
