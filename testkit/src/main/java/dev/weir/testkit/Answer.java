package dev.weir.testkit;

import dev.weir.Decision;
import dev.weir.LimitStatus;
import dev.weir.Wait;
import java.util.ArrayList;
import java.util.List;

/**
 * What a call was told: the part of a {@link Decision} that two stores must agree on. All times are
 * microseconds from the call.
 *
 * @param allowed whether the call may go on
 * @param remaining the single permits that the policy would admit at the same instant
 * @param retryAfter how long to wait
 * @param resetAfter the time until the key's state equals a fresh one
 * @param delay the time until the call's own turn
 * @param limitedBy the limit that refused, or the empty text
 * @param limits what each limit says
 * @param settled what a reservation was settled at; -1 if there was none, 0 for other calls
 */
public record Answer(
    boolean allowed,
    long remaining,
    Wait retryAfter,
    long resetAfter,
    long delay,
    String limitedBy,
    List<OfLimit> limits,
    long settled) {

  /**
   * What one limit says.
   *
   * @param name its name
   * @param remaining the single permits it would admit at the same instant
   * @param retryAfter how long until it admits the call
   * @param nextPermitAfter the time until {@code remaining} grows; 0 if nothing is used
   * @param resetAfter the time until its state equals a fresh one
   */
  public record OfLimit(
      String name, long remaining, Wait retryAfter, long nextPermitAfter, long resetAfter) {}

  /** The answer that a decision gives. */
  public static Answer of(Decision decision) {
    List<OfLimit> limits = new ArrayList<>();
    for (LimitStatus status : decision.limits()) {
      limits.add(
          new OfLimit(
              status.name(),
              status.remaining(),
              status.retryAfter(),
              ManualClock.micros(status.nextPermitAfter()),
              ManualClock.micros(status.resetAfter())));
    }
    return new Answer(
        decision.allowed(),
        decision.remaining(),
        decision.retryAfter(),
        ManualClock.micros(decision.resetAfter()),
        ManualClock.micros(decision.delay()),
        decision.limitedBy().orElse(""),
        limits,
        0);
  }

  /** The same answer, of a reservation that was settled at so many permits. */
  public Answer settledAt(long permits) {
    return new Answer(
        allowed, remaining, retryAfter, resetAfter, delay, limitedBy, limits, permits);
  }

  @Override
  public String toString() {
    return "%s%s remaining=%d retry=%s reset=%dus delay=%dus%s %s"
        .formatted(
            allowed ? "A" : "D",
            settled == 0 ? "" : " settled=" + settled,
            remaining,
            text(retryAfter),
            resetAfter,
            delay,
            limitedBy.isEmpty() ? "" : " limitedBy=" + limitedBy,
            limits.stream()
                .map(
                    limit ->
                        "%s(remaining=%d retry=%s next=%dus reset=%dus)"
                            .formatted(
                                limit.name,
                                limit.remaining,
                                text(limit.retryAfter),
                                limit.nextPermitAfter,
                                limit.resetAfter))
                .toList());
  }

  private static String text(Wait wait) {
    return wait.isNever() ? "never" : wait.toMicros() + "us";
  }
}
