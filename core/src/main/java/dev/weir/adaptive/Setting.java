package dev.weir.adaptive;

import java.util.List;

/**
 * Every number of the model: its name in a policy, default and range. Half-lives and other
 * durations are in seconds, in steps of 0.1 s. What each is for: docs/adaptive.md.
 */
public enum Setting {
  UNMATCHED_HALF_LIFE("unmatchedHalfLife", 120, 1, 86_400),
  UNMATCHED_POINTS("unmatchedPoints", 60, 0, 100),
  UNMATCHED_FROM("unmatchedFrom", 3, 0, 100_000),
  UNMATCHED_TO("unmatchedTo", 9, 0, 100_000),
  UNMATCHED_HARD_AT("unmatchedHardAt", 12, 1, 100_000),
  UNMATCHED_HARD_POINTS("unmatchedHardPoints", 25, 0, 100),
  SLOW_SCAN_HALF_LIFE("slowScanHalfLife", 3_600, 1, 86_400),
  SLOW_SCAN_POINTS("slowScanPoints", 45, 0, 100),
  SLOW_SCAN_FROM("slowScanFrom", 5, 0, 100_000),
  SLOW_SCAN_TO("slowScanTo", 15, 0, 100_000),
  PROBES_HALF_LIFE("probesHalfLife", 604_800, 1, 2_592_000),
  PROBES_POINTS("probesPoints", 60, 0, 100),
  PROBES_FROM("probesFrom", 1, 0, 100_000),
  PROBES_TO("probesTo", 4, 0, 100_000),
  AUTH_FAILURES_HALF_LIFE("authFailuresHalfLife", 120, 1, 86_400),
  AUTH_FAILURES_POINTS("authFailuresPoints", 60, 0, 100),
  AUTH_FAILURES_FROM("authFailuresFrom", 8, 0, 100_000),
  AUTH_FAILURES_TO("authFailuresTo", 16, 0, 100_000),
  BURST_HALF_LIFE("burstHalfLife", 10, 1, 86_400),
  BURST_POINTS("burstPoints", 25, 0, 100),
  BURST_FROM("burstFrom", 1, 0, 100_000),
  BURST_TO("burstTo", 3, 0, 100_000),
  BURST_EXPECTED("burstExpected", 20, 1, 1_000_000),
  BASELINE_HALF_LIFE("baselineHalfLife", 600, 1, 86_400),
  BASELINE_MULTIPLE("baselineMultiple", 3, 0, 1_000),
  REPEAT_HALF_LIFE("repeatHalfLife", 60, 1, 86_400),
  REPEAT_POINTS("repeatPoints", 20, 0, 100),
  REPEAT_FROM("repeatFrom", 20, 0, 100_000),
  REPEAT_TO("repeatTo", 60, 0, 100_000),
  REPEAT_SHARE_FROM("repeatShareFrom", 0.6, 0, 1),
  REPEAT_SHARE_TO("repeatShareTo", 0.9, 0, 1),
  NEW_ROUTES_HALF_LIFE("newRoutesHalfLife", 60, 1, 86_400),
  NEW_ROUTES_POINTS("newRoutesPoints", 25, 0, 100),
  NEW_ROUTES_FROM("newRoutesFrom", 25, 0, 100_000),
  NEW_ROUTES_TO("newRoutesTo", 75, 0, 100_000),
  DENIALS_HALF_LIFE("denialsHalfLife", 120, 1, 86_400),
  DENIALS_POINTS("denialsPoints", 15, 0, 100),
  DENIALS_FROM("denialsFrom", 5, 0, 100_000),
  DENIALS_TO("denialsTo", 20, 0, 100_000),
  MISSING_AGENT_HALF_LIFE("missingAgentHalfLife", 60, 1, 86_400),
  MISSING_AGENT_POINTS("missingAgentPoints", 10, 0, 100),
  MISSING_AGENT_FROM("missingAgentFrom", 3, 0, 100_000),
  MISSING_AGENT_TO("missingAgentTo", 10, 0, 100_000),
  SERVER_ERRORS_HALF_LIFE("serverErrorsHalfLife", 30, 1, 86_400),
  SERVER_ERRORS_GRACE("serverErrorsGrace", 0.75, 0, 1),
  SERVER_ERRORS_SLOPE("serverErrorsSlope", 2, 0, 100),
  STATIC_WEIGHT("staticWeight", 0.1, 0, 1),
  POPULAR_WEIGHT("popularWeight", 0.25, 0, 1),
  TRIPWIRE_WEIGHT("tripwireWeight", 3, 1, 100),
  AUTH_FAILURE_WEIGHT("authFailureWeight", 2, 0, 100),
  AUTH_ATTEMPT_WEIGHT("authAttemptWeight", 0.25, 0, 100),
  RISK_HALF_LIFE("riskHalfLife", 60, 1, 86_400),
  ELEVATED_ENTER("elevatedEnter", 30, 0, 100),
  ELEVATED_LEAVE("elevatedLeave", 20, 1, 100),
  SUSPICIOUS_ENTER("suspiciousEnter", 55, 0, 100),
  SUSPICIOUS_LEAVE("suspiciousLeave", 40, 1, 100),
  BLOCKED_ENTER("blockedEnter", 80, 0, 100),
  DWELL("dwell", 30, 0, 86_400),
  ELEVATED_FACTOR("elevatedFactor", 0.6, 0.001, 1),
  SUSPICIOUS_FACTOR("suspiciousFactor", 0.25, 0.001, 1),
  EVIDENCE_POINTS("evidencePoints", 10, 0, 100),
  FIRST_BLOCK("firstBlock", 60, 1, 86_400),
  LONGEST_BLOCK("longestBlock", 3_600, 1, 86_400),
  BLOCK_JITTER("blockJitter", 0.1, 0, 0.5),
  STRIKE_HALF_LIFE("strikeHalfLife", 86_400, 1, 2_592_000),
  SHARED_PRINCIPALS("sharedPrincipals", 3, 1, 32),
  SHARED_AGENTS("sharedAgents", 4, 1, 32),
  POPULAR_SUBJECTS("popularSubjects", 8, 1, 1_000),
  POPULAR_PATHS("popularPaths", 10_000, 0, 1_000_000);

  /** All settings, in the order in which a policy's numbers are kept. */
  static final List<Setting> ALL = List.of(values());

  private final String word;
  private final double standard;
  private final double least;
  private final double most;

  Setting(String word, double standard, double least, double most) {
    this.word = word;
    this.standard = standard;
    this.least = least;
    this.most = most;
  }

  /** The name in a policy file. */
  public String word() {
    return word;
  }

  /** The default. */
  public double standard() {
    return standard;
  }

  /** The least allowed. */
  public double least() {
    return least;
  }

  /** The most allowed. */
  public double most() {
    return most;
  }

  /** Whether it is a time, in seconds. */
  public boolean isDuration() {
    return word.endsWith("HalfLife")
        || this == FIRST_BLOCK
        || this == LONGEST_BLOCK
        || this == DWELL;
  }
}
