package dev.weir.server.live;

import dev.weir.Decision;
import dev.weir.adaptive.Explanation;
import dev.weir.adaptive.Standing;
import dev.weir.adaptive.Tier;
import dev.weir.server.decide.DecisionObserver;
import dev.weir.server.decide.RequestDecision;
import dev.weir.server.policy.PolicyRegistry;
import dev.weir.server.policy.RequestAttributes;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Keeps what this process saw. Safe for use by several threads. */
public final class Live implements DecisionObserver {

  /** The most subjects that are known. */
  public static final int MOST_SUBJECTS = 100_000;

  private static final int MOST_ANOMALIES = 1_000;
  private static final int MOST_FOLLOWED = 200;
  private static final long FOLLOWED_MILLIS = 300_000;
  private static final long MICROS_PER_MILLI = 1_000;

  private final PolicyRegistry policies;
  private final InstantSource clock;
  private final LiveFigures figures = new LiveFigures();
  private final SubjectIndex subjects = new SubjectIndex(MOST_SUBJECTS);
  private final RecentCalls calls = new RecentCalls();
  private final Deque<Anomaly> anomalies = new ArrayDeque<>();

  /** Sees nothing yet. */
  public Live(PolicyRegistry policies, InstantSource clock) {
    this.policies = policies;
    this.clock = clock;
  }

  @Override
  public void decided(RequestAttributes request, RequestDecision ruling) {
    long now = clock.millis();
    Decision base = ruling.verdict().base();
    // What is decided by hand says nothing of the subject's own tier.
    boolean isJudged =
        switch (ruling.treatment().kind()) {
          case JUDGED, WATCHED, PINNED -> true;
          case EXEMPT, LIMITED, REFUSED -> false;
        };
    String policy = ruling.policy();
    count(policy, base, ruling.verdict().allowed(), ruling.allowed(), ruling.isBlocked(), now);
    Tier before =
        subjects.note(
            policy,
            ruling.limits(),
            ruling.key(),
            !ruling.verdict().allowed(),
            isJudged ? ruling.verdict().tier() : null,
            ruling.verdict().isInGoodStanding(),
            now);
    if (isJudged) {
      watch(policy, ruling.limits(), ruling.key(), before, ruling.verdict().tier(), now);
    }
    calls.add(new SeenCall(now * MICROS_PER_MILLI, request, ruling.cost(), 0));
  }

  @Override
  public void decided(String limits, String key, Decision decision) {
    long now = clock.millis();
    String policy = policies.ownerOf(limits).map(it -> it.name()).orElse(limits);
    count(policy, decision, decision.allowed(), decision.allowed(), false, now);
    subjects.note(policy, limits, key, !decision.allowed(), null, true, now);
  }

  private void count(
      String policy,
      Decision base,
      boolean allowedByRules,
      boolean allowed,
      boolean isBlocked,
      long now) {
    figures.add(policy, Figure.REQUESTS, now);
    if (allowed) {
      figures.add(policy, Figure.ALLOWED, now);
    }
    if (!allowedByRules) {
      figures.add(policy, isBlocked ? Figure.BLOCKED : Figure.LIMITED, now);
    }
    if (base.source().isDegraded()) {
      figures.add(policy, Figure.DEGRADED, now);
    }
  }

  @Override
  public void reported(
      String policy,
      String limits,
      String key,
      RequestAttributes request,
      int status,
      Standing standing) {
    long now = clock.millis();
    Tier before = subjects.stands(limits, key, standing.tier(), standing.isInGoodStanding());
    watch(policy, limits, key, before, standing.tier(), now);
    calls.add(new SeenCall(now * MICROS_PER_MILLI, request, 0, status));
  }

  @Override
  public boolean isInGoodStanding(String limits, String key) {
    return subjects.isInGoodStanding(limits, key);
  }

  /** Notes a subject that went up a tier, with what its behaviour says. */
  private void watch(String policy, String limits, String key, Tier before, Tier after, long now) {
    if (after.level() <= before.level()) {
      return;
    }
    figures.add(policy, Figure.ANOMALIES, now);
    policies
        .policy(policy)
        .ifPresent(
            it -> {
              CompletableFuture<Void> unused =
                  it.adaptive(limits)
                      .explainAsync(key)
                      .thenAccept(
                          why -> {
                            subjects.risk(limits, key, why.risk(), after, now);
                            add(
                                new Anomaly(
                                    now,
                                    policy,
                                    limits,
                                    key,
                                    before,
                                    after,
                                    why.risk(),
                                    SignalWords.of(why)));
                          });
            });
  }

  private void add(Anomaly anomaly) {
    synchronized (anomalies) {
      anomalies.addFirst(anomaly);
      if (anomalies.size() > MOST_ANOMALIES) {
        anomalies.removeLast();
      }
    }
  }

  /** The anomalies seen last, the newest first. */
  public List<Anomaly> anomalies(int most) {
    synchronized (anomalies) {
      return anomalies.stream().limit(most).toList();
    }
  }

  /**
   * Notes the risk of those above normal and of those that somebody looks at. To be called every 10
   * s; asks the store at most 200 times.
   */
  public void follow() {
    long now = clock.millis();
    List<SubjectView> followed = new ArrayList<>(subjects.aboveNormal(MOST_FOLLOWED / 2, now));
    followed.addAll(subjects.askedSince(now - FOLLOWED_MILLIS, MOST_FOLLOWED / 2, now));
    followed.stream().distinct().forEach(it -> follow(it, now));
  }

  private void follow(SubjectView subject, long now) {
    policies
        .policy(subject.policy())
        .ifPresent(
            policy -> {
              CompletableFuture<Void> unused =
                  policy
                      .adaptive(subject.limits())
                      .explainAsync(subject.key())
                      .thenAccept(why -> note(subject, why, now));
            });
  }

  private void note(SubjectView subject, Explanation why, long now) {
    subjects.risk(subject.limits(), subject.key(), why.risk(), why.tier(), now);
  }

  /** The counts. */
  public LiveFigures figures() {
    return figures;
  }

  /** The subjects. */
  public SubjectIndex subjects() {
    return subjects;
  }

  /** The requests. */
  public RecentCalls calls() {
    return calls;
  }

  /** The policies that something was counted for, and those that run. */
  public List<String> policyNames() {
    List<String> names =
        new ArrayList<>(policies.policies().stream().map(it -> it.name()).toList());
    names.addAll(figures.policies());
    return Collections.unmodifiableList(new ArrayList<>(new java.util.LinkedHashSet<>(names)));
  }
}
