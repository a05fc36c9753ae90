package dev.weir.server.replay;

import dev.weir.adaptive.Tier;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * What came of a replay.
 *
 * @param policy what was replayed
 * @param subjects what happened to each subject, in the order of their first requests
 * @param timeline the requests over time
 */
record ReplayResult(PolicyFile policy, List<SubjectRecord> subjects, Timeline timeline) {

  /** Fewer requests than this are too few to judge a detector by. */
  static final int ENOUGH_REQUESTS = 10;

  long sum(ToLongFunction<SubjectRecord> figure) {
    return subjects.stream().mapToLong(figure).sum();
  }

  long count(Predicate<SubjectRecord> condition) {
    return subjects.stream().filter(condition).count();
  }

  long reached(Tier tier) {
    return count(subject -> subject.highest.level() >= tier.level());
  }

  private long flagged(Predicate<SubjectRecord> condition) {
    return count(subject -> subject.isFlagged() && condition.test(subject));
  }

  /** Of the flagged subjects whose label is sure, the share that are scanners. */
  OptionalDouble precision() {
    long sure = flagged(it -> !it.label.equals(Labels.UNSURE) && !it.label.equals(Labels.NONE));
    return share(flagged(ReplayResult::isScanner), sure);
  }

  /** Of the scanners with ten requests or more, the share that was flagged. */
  OptionalDouble recall() {
    return share(flagged(ReplayResult::isJudgedScanner), count(ReplayResult::isJudgedScanner));
  }

  /** How many people were above normal at any time. */
  long peopleAboveNormal() {
    return count(it -> Labels.PEOPLE.contains(it.label) && it.highest != Tier.NORMAL);
  }

  /** Of the requests of innocents, the share that only the tier refuses. */
  OptionalDouble innocentRefused() {
    return share(
        subjects.stream()
            .filter(it -> Labels.isInnocent(it.label))
            .mapToLong(it -> it.refusedByTier)
            .sum(),
        subjects.stream()
            .filter(it -> Labels.isInnocent(it.label))
            .mapToLong(it -> it.requests)
            .sum());
  }

  /** The request at which a scanner was flagged, at a quantile of those that were. */
  OptionalDouble detectionRequest(double quantile) {
    long[] sorted =
        subjects.stream()
            .filter(it -> isJudgedScanner(it) && it.isFlagged())
            .mapToLong(it -> it.flaggedAtRequest)
            .sorted()
            .toArray();
    return sorted.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of((double) sorted[(int) Math.ceil(quantile * sorted.length) - 1]);
  }

  private static boolean isScanner(SubjectRecord subject) {
    return subject.label.equals(Labels.SCANNER);
  }

  private static boolean isJudgedScanner(SubjectRecord subject) {
    return isScanner(subject) && subject.requests >= ENOUGH_REQUESTS;
  }

  private static OptionalDouble share(long part, long whole) {
    return whole == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) part / whole);
  }

  /** The subjects that were refused or flagged, those with the highest tier and risk first. */
  List<SubjectRecord> conspicuous(int most) {
    return subjects.stream()
        .filter(it -> it.highest != Tier.NORMAL || it.deniedByLimits > 0)
        .sorted(
            Comparator.comparingInt((SubjectRecord it) -> -it.highest.level())
                .thenComparingLong(it -> -(it.refusedByTier + it.deniedByLimits))
                .thenComparingLong(it -> -it.requests)
                .thenComparing(it -> it.name))
        .limit(most)
        .toList();
  }

  /** The figures of each label. */
  Map<String, LabelFigures> byLabel() {
    Map<String, LabelFigures> figures = new TreeMap<>();
    for (SubjectRecord subject : subjects) {
      figures.merge(subject.label, LabelFigures.of(subject), LabelFigures::plus);
    }
    return figures;
  }

  /**
   * The figures of a label.
   *
   * @param subjects how many there are
   * @param requests their requests
   * @param elevated how many were above normal at any time
   * @param flagged how many were suspicious or more
   * @param blocked how many were blocked
   * @param deniedByLimits requests that the limits refuse
   * @param refusedByTier requests that only the tier refuses, or would
   */
  record LabelFigures(
      long subjects,
      long requests,
      long elevated,
      long flagged,
      long blocked,
      long deniedByLimits,
      long refusedByTier) {

    static LabelFigures of(SubjectRecord subject) {
      return new LabelFigures(
          1,
          subject.requests,
          subject.highest == Tier.NORMAL ? 0 : 1,
          subject.isFlagged() ? 1 : 0,
          subject.highest == Tier.BLOCKED ? 1 : 0,
          subject.deniedByLimits,
          subject.refusedByTier);
    }

    LabelFigures plus(LabelFigures other) {
      return new LabelFigures(
          subjects + other.subjects,
          requests + other.requests,
          elevated + other.elevated,
          flagged + other.flagged,
          blocked + other.blocked,
          deniedByLimits + other.deniedByLimits,
          refusedByTier + other.refusedByTier);
    }
  }
}
