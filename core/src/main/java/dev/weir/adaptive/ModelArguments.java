package dev.weir.adaptive;

import dev.weir.RateLimitPolicy;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The numbers of a model, calls and outcomes as bytes for a model that runs elsewhere, all
 * big-endian. Pure.
 */
public final class ModelArguments {

  private static final int NUMBERS = 64;
  private static final int CALL_LENGTH = 5 * Integer.BYTES + Double.BYTES + 1;
  private static final int OUTCOME_LENGTH = 1 + Integer.BYTES;

  private static final List<Setting> HALF_LIVES =
      List.of(
          Setting.UNMATCHED_HALF_LIFE,
          Setting.SLOW_SCAN_HALF_LIFE,
          Setting.AUTH_FAILURES_HALF_LIFE,
          Setting.BURST_HALF_LIFE,
          Setting.BASELINE_HALF_LIFE,
          Setting.REPEAT_HALF_LIFE,
          Setting.NEW_ROUTES_HALF_LIFE,
          Setting.DENIALS_HALF_LIFE,
          Setting.MISSING_AGENT_HALF_LIFE,
          Setting.SERVER_ERRORS_HALF_LIFE,
          Setting.STRIKE_HALF_LIFE,
          Setting.RISK_HALF_LIFE,
          Setting.PROBES_HALF_LIFE);

  private static final List<Setting> POINTS =
      List.of(
          Setting.UNMATCHED_POINTS,
          Setting.UNMATCHED_FROM,
          Setting.UNMATCHED_TO,
          Setting.SLOW_SCAN_POINTS,
          Setting.SLOW_SCAN_FROM,
          Setting.SLOW_SCAN_TO,
          Setting.PROBES_POINTS,
          Setting.PROBES_FROM,
          Setting.PROBES_TO,
          Setting.AUTH_FAILURES_POINTS,
          Setting.AUTH_FAILURES_FROM,
          Setting.AUTH_FAILURES_TO,
          Setting.BURST_POINTS,
          Setting.BURST_FROM,
          Setting.BURST_TO,
          Setting.REPEAT_POINTS,
          Setting.REPEAT_FROM,
          Setting.REPEAT_TO,
          Setting.NEW_ROUTES_POINTS,
          Setting.NEW_ROUTES_FROM,
          Setting.NEW_ROUTES_TO,
          Setting.DENIALS_POINTS,
          Setting.DENIALS_FROM,
          Setting.DENIALS_TO,
          Setting.MISSING_AGENT_POINTS,
          Setting.MISSING_AGENT_FROM,
          Setting.MISSING_AGENT_TO,
          Setting.REPEAT_SHARE_FROM,
          Setting.REPEAT_SHARE_TO,
          Setting.UNMATCHED_HARD_AT,
          Setting.UNMATCHED_HARD_POINTS);

  private static final List<Setting> WEIGHTS_AND_TIERS =
      List.of(
          Setting.SERVER_ERRORS_SLOPE,
          Setting.SERVER_ERRORS_GRACE,
          Setting.AUTH_ATTEMPT_WEIGHT,
          Setting.AUTH_FAILURE_WEIGHT,
          Setting.TRIPWIRE_WEIGHT,
          Setting.POPULAR_WEIGHT,
          Setting.ELEVATED_ENTER,
          Setting.SUSPICIOUS_ENTER,
          Setting.BLOCKED_ENTER,
          Setting.ELEVATED_LEAVE,
          Setting.SUSPICIOUS_LEAVE);

  private static final List<Setting> TIMES =
      List.of(Setting.DWELL, Setting.FIRST_BLOCK, Setting.LONGEST_BLOCK);

  private static final List<Setting> REST =
      List.of(
          Setting.BLOCK_JITTER,
          Setting.EVIDENCE_POINTS,
          Setting.SHARED_PRINCIPALS,
          Setting.SHARED_AGENTS);

  private ModelArguments() {}

  /**
   * Every number of a model as a double: half-lives in ticks in the order of the counters; points,
   * from and to of each signal; the share of a repeat; when unmatched is hard, and its points then;
   * the expected burst, and what of the baseline is one; grace, weights, marks of tiers; dwelling
   * and blocks in ticks; jitter, enough evidence, shared addresses.
   */
  public static byte[] settings(AdaptivePolicy policy, RateLimitPolicy limits) {
    Scoring scoring = new Scoring(policy, BaseRate.of(limits));
    ByteBuffer bytes = ByteBuffer.allocate(NUMBERS * Double.BYTES);
    HALF_LIVES.forEach(setting -> bytes.putDouble((double) policy.ticks(setting)));
    POINTS.forEach(setting -> bytes.putDouble(policy.get(setting)));
    bytes.putDouble(scoring.expectedBurst()).putDouble(scoring.baselineToBurst());
    WEIGHTS_AND_TIERS.forEach(setting -> bytes.putDouble(policy.get(setting)));
    TIMES.forEach(setting -> bytes.putDouble((double) policy.ticks(setting)));
    REST.forEach(setting -> bytes.putDouble(policy.get(setting)));
    if (bytes.hasRemaining()) {
      throw new IllegalStateException("the model has " + NUMBERS + " numbers");
    }
    return bytes.array();
  }

  /**
   * A call: fingerprint, route, path, principal, agent, weight, and a byte of flags: 1 static, 2
   * unmatched, 4 tripwire, 8 popular, 16 attempt to sign in, 32 without a user agent.
   */
  public static byte[] call(Call call) {
    int flags =
        flag(call.isStatic(), 1)
            | flag(call.isUnmatched(), 2)
            | flag(call.isTripwire(), 4)
            | flag(call.isPopular(), 8)
            | flag(call.isAuthAttempt(), 16)
            | flag(call.lacksAgent(), 32);
    return ByteBuffer.allocate(CALL_LENGTH)
        .putInt(call.fingerprint())
        .putInt(call.route())
        .putInt(call.path())
        .putInt(call.principal())
        .putInt(call.agent())
        .putDouble(call.weight())
        .put((byte) flags)
        .array();
  }

  /**
   * Outcomes one after the other, each a byte of flags: 1 unmatched, 2 tripwire, 4 popular, 8
   * failure to sign in, 16 error of the server; and the path.
   */
  public static byte[] outcomes(List<Outcome> outcomes) {
    ByteBuffer bytes = ByteBuffer.allocate(outcomes.size() * OUTCOME_LENGTH);
    for (Outcome outcome : outcomes) {
      int flags =
          flag(outcome.isUnmatched(), 1)
              | flag(outcome.isTripwire(), 2)
              | flag(outcome.isPopular(), 4)
              | flag(outcome.isAuthFailure(), 8)
              | flag(outcome.isServerError(), 16);
      bytes.put((byte) flags).putInt(outcome.path());
    }
    return bytes.array();
  }

  private static int flag(boolean is, int bit) {
    return is ? bit : 0;
  }
}
