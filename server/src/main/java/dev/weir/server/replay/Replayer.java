package dev.weir.server.replay;

import dev.weir.adaptive.AdaptiveAlgorithm;
import dev.weir.adaptive.AdaptivePolicy.Mode;
import dev.weir.adaptive.AdaptiveState;
import dev.weir.adaptive.AdaptiveVerdict;
import dev.weir.adaptive.CallReader;
import dev.weir.adaptive.Hash;
import dev.weir.adaptive.PopularMissing;
import dev.weir.adaptive.SubjectState;
import dev.weir.adaptive.Tier;
import dev.weir.adaptive.Treatment;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Feeds requests through a policy at their recorded times; the recorded status is the outcome of
 * those that were allowed. The same requests give the same result. Of one thread.
 */
final class Replayer {

  private final PolicyFile policy;
  private final Labels labels;
  private final AdaptiveAlgorithm algorithm;
  private final CallReader reader;
  private final PopularMissing popular;
  private final Map<String, SubjectRecord> subjects = new LinkedHashMap<>();
  private final Timeline timeline = new Timeline();

  Replayer(PolicyFile policy, Labels labels) {
    this.policy = policy;
    this.labels = labels;
    this.algorithm = new AdaptiveAlgorithm(policy.limits(), policy.adaptive());
    this.reader = new CallReader(policy.adaptive());
    this.popular = new PopularMissing(policy.adaptive());
  }

  void replay(LogLine line) {
    SubjectRecord subject =
        subjects.computeIfAbsent(line.address(), name -> new SubjectRecord(name, labels.of(name)));
    long now = line.timeMicros();
    int seed = Hash.of(line.address());
    subject.requests++;
    subject.firstMicros = subject.requests == 1 ? now : Math.min(subject.firstMicros, now);
    subject.lastMicros = Math.max(subject.lastMicros, now);
    CallReader.Read read = read(line);
    AdaptiveAlgorithm.Step step =
        algorithm.decide(subject.state, read.call(), 1, Treatment.JUDGED, now, seed);
    AdaptiveVerdict verdict = step.verdict();
    subject.state = step.state();
    note(subject, now);
    if (verdict.allowed()) {
      boolean isPopular = isPopular(read, line.status(), subject, seed);
      subject.state =
          algorithm.outcome(subject.state, read.outcome(line.status(), isPopular), now, seed);
      note(subject, now);
    }
    subject.deniedByLimits += verdict.base().allowed() ? 0 : 1;
    subject.refusedByTier += verdict.refusedByTierAlone() ? 1 : 0;
    timeline.add(now, verdict, subject.tier());
  }

  private boolean isPopular(CallReader.Read read, int status, SubjectRecord subject, int seed) {
    SubjectState behaviour = subject.state.behaviour();
    boolean counts = behaviour == null || behaviour.isInGoodStanding(policy.adaptive());
    return read.isMissing(status) && popular.note(read.popularPath(), seed, counts);
  }

  private CallReader.Read read(LogLine line) {
    String agent = line.agent();
    return reader.read(
        line.method(),
        line.path(),
        null,
        false,
        agent == null ? "unknown" : agent,
        line.user(),
        null,
        1);
  }

  private void note(SubjectRecord subject, long now) {
    AdaptiveState state = subject.state;
    SubjectState behaviour = state.behaviour();
    if (policy.adaptive().mode() != Mode.OFF && behaviour != null) {
      Tier tier = behaviour.tier();
      subject.note(tier, now, () -> algorithm.model().explain(behaviour, now));
    }
  }

  /** What came of it so far. */
  ReplayResult result() {
    return new ReplayResult(policy, java.util.List.copyOf(subjects.values()), timeline);
  }
}
