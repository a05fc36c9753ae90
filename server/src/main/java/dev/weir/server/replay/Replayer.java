package dev.weir.server.replay;

import dev.weir.adaptive.AdaptivePolicy.Mode;
import dev.weir.adaptive.AdaptiveRateLimiter;
import dev.weir.adaptive.AdaptiveVerdict;
import dev.weir.adaptive.CallReader;
import dev.weir.adaptive.Hash;
import dev.weir.adaptive.PopularMissing;
import dev.weir.adaptive.Standing;
import dev.weir.adaptive.SubjectCall;
import dev.weir.adaptive.Tier;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Feeds requests through a policy at their recorded times; the recorded status is the outcome of
 * those that were allowed. The same requests give the same result. Of one thread.
 */
final class Replayer implements AutoCloseable {

  private final PolicyFile policy;
  private final Labels labels;
  private final ReplayStore store;
  private final AdaptiveRateLimiter limiter;
  private final CallReader reader;
  private final PopularMissing popular;
  private final Map<String, SubjectRecord> subjects = new LinkedHashMap<>();
  private final Timeline timeline = new Timeline();

  Replayer(PolicyFile policy, Labels labels, ReplayStore store) {
    this.policy = policy;
    this.labels = labels;
    this.store = store;
    this.limiter = store.limiter();
    this.reader = new CallReader(policy.adaptive());
    this.popular = new PopularMissing(policy.adaptive());
  }

  /** Replays a request, and returns what came of it. */
  Step replay(LogLine line) {
    SubjectRecord subject =
        subjects.computeIfAbsent(line.address(), name -> new SubjectRecord(name, labels.of(name)));
    long now = line.timeMicros();
    store.time(now);
    subject.requests++;
    subject.firstMicros = subject.requests == 1 ? now : Math.min(subject.firstMicros, now);
    subject.lastMicros = Math.max(subject.lastMicros, now);
    CallReader.Read read = read(line);
    AdaptiveVerdict verdict = limiter.decide(SubjectCall.of(line.address(), read.call()));
    if (verdict.base().source().isDegraded()) {
      throw new IllegalStateException("the store did not answer; the replay is not complete");
    }
    note(subject, verdict.tier(), now);
    if (verdict.allowed()) {
      boolean isPopular = isPopular(read, line, verdict.isInGoodStanding());
      Standing standing =
          limiter
              .reportAsync(line.address(), List.of(read.outcome(line.status(), isPopular)))
              .join();
      note(subject, standing.tier(), now);
    }
    subject.deniedByLimits += verdict.base().allowed() ? 0 : 1;
    subject.refusedByTier += verdict.refusedByTierAlone() ? 1 : 0;
    timeline.add(now, verdict, subject.tier());
    return new Step(verdict.allowed(), verdict.tier(), subject.tier());
  }

  private boolean isPopular(CallReader.Read read, LogLine line, boolean counts) {
    return read.isMissing(line.status())
        && popular.note(read.popularPath(), Hash.of(line.address()), counts);
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

  private void note(SubjectRecord subject, Tier tier, long now) {
    if (policy.adaptive().mode() != Mode.OFF) {
      subject.note(tier, now, () -> limiter.explain(subject.name));
    }
  }

  /**
   * What came of a request.
   *
   * @param allowed whether it went on
   * @param applied the tier that judged it
   * @param after the tier after its outcome
   */
  record Step(boolean allowed, Tier applied, Tier after) {}

  /** What came of it so far. */
  ReplayResult result() {
    return new ReplayResult(policy, List.copyOf(subjects.values()), timeline);
  }

  /** Removes from the store what the replay has put there. */
  @Override
  public void close() {
    subjects.keySet().forEach(subject -> limiter.resetAsync(subject).join());
    store.close();
  }
}
