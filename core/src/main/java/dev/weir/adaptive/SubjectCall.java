package dev.weir.adaptive;

import dev.weir.Limit;
import java.util.List;
import java.util.Objects;

/**
 * A call to be judged by its subject's behaviour. Immutable.
 *
 * @param subject whom it is counted for, and the key of the limits: a user, an address, both
 * @param call what the model sees of it; {@link CallReader} makes it of a request
 * @param permits its cost, 0 or more
 * @param treatment what precedence says of it
 * @param earlier how the application answered earlier calls of the subject, the oldest first: they
 *     count before this one
 */
public record SubjectCall(
    String subject, Call call, long permits, Treatment treatment, List<Outcome> earlier) {

  /** Checks the values. */
  public SubjectCall {
    Objects.requireNonNull(subject, "subject");
    Objects.requireNonNull(call, "call");
    Objects.requireNonNull(treatment, "treatment");
    Limit.checkPermits(permits, 0);
    earlier = List.copyOf(earlier);
  }

  /** A call of one permit that the subject's own tier judges. */
  public static SubjectCall of(String subject, Call call) {
    return new SubjectCall(subject, call, 1, Treatment.JUDGED, List.of());
  }

  /** The same call with that cost. */
  public SubjectCall permits(long permits) {
    return new SubjectCall(subject, call, permits, treatment, earlier);
  }

  /** The same call, judged by that rule. */
  public SubjectCall treatment(Treatment treatment) {
    return new SubjectCall(subject, call, permits, treatment, earlier);
  }

  /** The same call with outcomes of earlier ones riding on it. */
  public SubjectCall after(List<Outcome> earlier) {
    return new SubjectCall(subject, call, permits, treatment, earlier);
  }

  /** The subject's hash, the same on every node. */
  public int seed() {
    return Hash.of(subject);
  }
}
