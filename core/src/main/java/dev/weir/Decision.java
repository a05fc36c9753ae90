package dev.weir;

import dev.weir.RateLimitPolicy.NamedLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one call. Immutable.
 *
 * <p>All times are exact on the store's clock and counted from the instant of the decision.
 */
public final class Decision {

  /** How many numbers the verdict on one limit has: see {@link #of}. */
  public static final int VERDICT_LENGTH = 5;

  private static final int REMAINING = 0;
  private static final int WAIT = 1;
  private static final int NEXT = 2;
  private static final int RESET = 3;
  private static final int DELAY = 4;
  private static final long NEVER = -1;
  private static final long NOT_CHARGED = -1;
  private static final long[] NO_TIMES = {0, NOT_CHARGED};

  private final RateLimitPolicy policy;
  private final Source source;
  private final long permits;
  private final long[] verdicts;
  private final int reported;
  private final boolean allowed;
  private final @Nullable FailureCause failure;
  private final long atMicros;
  private final long chargedAtMicros;

  private Decision(
      RateLimitPolicy policy,
      Source source,
      long permits,
      long[] times,
      long[] verdicts,
      @Nullable FailureCause failure) {
    this.policy = policy;
    this.source = source;
    this.permits = permits;
    this.atMicros = times[0];
    this.chargedAtMicros = times[1];
    this.verdicts = verdicts;
    this.failure = failure;
    int refusing = longestWait(verdicts);
    this.allowed = verdicts[refusing * VERDICT_LENGTH + WAIT] == 0;
    this.reported = allowed ? tightest(policy, verdicts) : refusing;
  }

  /**
   * Makes a decision from what a store said of each limit; for stores.
   *
   * @param policy the policy judged by
   * @param source who judged
   * @param permits what the call asked for
   * @param verdicts five numbers for each limit, in the policy's order: remaining permits;
   *     microseconds to wait, 0 if admitted and -1 if never; microseconds until the next permit;
   *     microseconds until the state equals a fresh one; microseconds of delay. Not copied.
   * @throws IllegalArgumentException if the number of verdicts is not that of the limits
   */
  public static Decision of(RateLimitPolicy policy, Source source, long permits, long... verdicts) {
    return of(policy, source, permits, 0, NOT_CHARGED, verdicts);
  }

  /**
   * Makes a decision that knows its time.
   *
   * @param atMicros the time of the decision on the store's clock, in microseconds since the epoch
   * @param chargedAtMicros the time that the call was charged at, which is later if the clock has
   *     gone back; -1 if it was not charged
   * @throws IllegalArgumentException if the number of verdicts is not that of the limits
   * @see #of(RateLimitPolicy, Source, long, long...)
   */
  public static Decision of(
      RateLimitPolicy policy,
      Source source,
      long permits,
      long atMicros,
      long chargedAtMicros,
      long[] verdicts) {
    int expected = policy.limits().size() * VERDICT_LENGTH;
    if (verdicts.length != expected) {
      throw new IllegalArgumentException(
          "policy '%s' needs %d numbers, and the store gave %d"
              .formatted(policy.name(), expected, verdicts.length));
    }
    long[] times = {atMicros, chargedAtMicros};
    return new Decision(policy, Objects.requireNonNull(source), permits, times, verdicts, null);
  }

  /**
   * The decision of a policy whose store failed and whose mode is {@link FailureMode.Kind#OPEN}:
   * allowed. Nothing is known of what is used, so everything counts as free.
   */
  public static Decision open(RateLimitPolicy policy, long permits, FailureCause cause) {
    long[] verdicts = new long[policy.limits().size() * VERDICT_LENGTH];
    for (int i = 0; i < policy.limits().size(); i++) {
      verdicts[i * VERDICT_LENGTH + REMAINING] = policy.limits().get(i).limit().capacity();
    }
    return new Decision(policy, Source.DEGRADED_OPEN, permits, NO_TIMES, verdicts, cause);
  }

  /**
   * The decision of a policy whose store failed and whose mode is {@link FailureMode.Kind#CLOSED}:
   * refused. Nothing is known of what is used, so nothing counts as free.
   *
   * @param retryAfter when the store is asked again
   */
  public static Decision closed(
      RateLimitPolicy policy, long permits, FailureCause cause, Duration retryAfter) {
    long micros = Math.max(1, LimitNumbers.toMicros(retryAfter));
    long[] verdicts = new long[policy.limits().size() * VERDICT_LENGTH];
    for (int i = 0; i < verdicts.length; i += VERDICT_LENGTH) {
      verdicts[i + WAIT] = micros;
      verdicts[i + NEXT] = micros;
      verdicts[i + RESET] = micros;
    }
    return new Decision(policy, Source.DEGRADED_CLOSED, permits, NO_TIMES, verdicts, cause);
  }

  /**
   * The same decision as made by a limiter that stands in for a store that failed.
   *
   * @param policy the policy whose store failed, with as many limits
   */
  public Decision standingInFor(RateLimitPolicy policy, FailureCause cause) {
    long[] times = {atMicros, chargedAtMicros};
    return new Decision(policy, Source.DEGRADED_LOCAL, permits, times, verdicts, cause);
  }

  /**
   * The same decision for a caller that others come before: refused though permits may be free; for
   * stores.
   *
   * @param leastMicros how long it has to wait for those at the least, 1 or more
   */
  public Decision behindOthers(long leastMicros) {
    long[] changed = verdicts.clone();
    int wait = reported * VERDICT_LENGTH + WAIT;
    if (changed[wait] != NEVER) {
      changed[wait] = Math.max(changed[wait], Math.max(1, leastMicros));
    }
    long[] times = {atMicros, NOT_CHARGED};
    return new Decision(policy, source, permits, times, changed, failure);
  }

  private static int longestWait(long[] verdicts) {
    int longest = 0;
    for (int i = 1; i < verdicts.length / VERDICT_LENGTH; i++) {
      // Never is -1, which as an unsigned number is the longest wait of all.
      if (Long.compareUnsigned(
              verdicts[i * VERDICT_LENGTH + WAIT], verdicts[longest * VERDICT_LENGTH + WAIT])
          > 0) {
        longest = i;
      }
    }
    return longest;
  }

  /** The limit with the smallest share left; of equals the one that takes longest to reset. */
  private static int tightest(RateLimitPolicy policy, long[] verdicts) {
    int tightest = 0;
    for (int i = 1; i < verdicts.length / VERDICT_LENGTH; i++) {
      // remaining and capacity are at most 10^9, so the products are at most 10^18
      long share =
          verdicts[i * VERDICT_LENGTH + REMAINING]
              * policy.limits().get(tightest).limit().capacity();
      long least =
          verdicts[tightest * VERDICT_LENGTH + REMAINING]
              * policy.limits().get(i).limit().capacity();
      if (share < least
          || (share == least
              && verdicts[i * VERDICT_LENGTH + RESET]
                  > verdicts[tightest * VERDICT_LENGTH + RESET])) {
        tightest = i;
      }
    }
    return tightest;
  }

  /** Whether the call may go on. */
  public boolean allowed() {
    return allowed;
  }

  /** The policy that the call was judged by. */
  public RateLimitPolicy policy() {
    return policy;
  }

  /** What the call asked for. */
  public long permits() {
    return permits;
  }

  /**
   * The capacity of the limit that this decision reports: of a refusal the limit with the longest
   * wait, otherwise the one with the smallest share left.
   */
  public long limit() {
    return policy.limits().get(reported).limit().capacity();
  }

  /**
   * How many single permits the whole policy would admit at the same instant, after this call's
   * charge; 0 to {@link #limit()}.
   */
  public long remaining() {
    long least = Long.MAX_VALUE;
    for (int i = REMAINING; i < verdicts.length; i += VERDICT_LENGTH) {
      least = Math.min(least, verdicts[i]);
    }
    return Math.min(least, limit());
  }

  /**
   * How long to wait until the same call is admitted, with no other traffic: the longest wait of
   * the limits that refused. One microsecond less is refused again. {@link Wait#NONE} if allowed.
   */
  public Wait retryAfter() {
    return retryAfter(reported);
  }

  /** The time until {@link #remaining()} of the reported limit grows; zero if nothing is used. */
  public Duration nextPermitAfter() {
    return LimitNumbers.micros(verdicts[reported * VERDICT_LENGTH + NEXT]);
  }

  /** The time until the key's whole state equals that of a fresh key, with no other traffic. */
  public Duration resetAfter() {
    return LimitNumbers.micros(greatest(RESET));
  }

  /**
   * The time until this call's own turn, for an allowed call under a {@linkplain
   * LeakyBucket.Mode#SHAPING shaping} bucket; otherwise zero.
   */
  public Duration delay() {
    return allowed ? LimitNumbers.micros(greatest(DELAY)) : Duration.ZERO;
  }

  /** The name of the limit that refused; of several the one with the longest wait. */
  public Optional<String> limitedBy() {
    return allowed ? Optional.empty() : Optional.of(policy.limits().get(reported).name());
  }

  /** Who decided. */
  public Source source() {
    return source;
  }

  /** Why the store did not decide, if {@link #source()} is a degraded one. */
  public Optional<FailureCause> failure() {
    return Optional.ofNullable(failure);
  }

  /** What the call was charged, to be given back if need be; empty if it was charged nothing. */
  public Optional<Charge> charge() {
    return chargedAtMicros == NOT_CHARGED
        ? Optional.empty()
        : Optional.of(Charge.of(this, atMicros, chargedAtMicros));
  }

  /** What each limit says, in the policy's order. */
  public List<LimitStatus> limits() {
    List<LimitStatus> statuses = new ArrayList<>();
    for (int i = 0; i < policy.limits().size(); i++) {
      NamedLimit named = policy.limits().get(i);
      int at = i * VERDICT_LENGTH;
      statuses.add(
          new LimitStatus(
              named.name(),
              named.limit(),
              verdicts[at + REMAINING],
              retryAfter(i),
              LimitNumbers.micros(verdicts[at + NEXT]),
              LimitNumbers.micros(verdicts[at + RESET])));
    }
    return List.copyOf(statuses);
  }

  /** The limit that this decision reports: see {@link #limit()}. */
  public LimitStatus reportedLimit() {
    return limits().get(reported);
  }

  private Wait retryAfter(int index) {
    long micros = verdicts[index * VERDICT_LENGTH + WAIT];
    return micros == NEVER ? Wait.NEVER : Wait.ofMicros(micros);
  }

  private long greatest(int part) {
    long greatest = 0;
    for (int i = part; i < verdicts.length; i += VERDICT_LENGTH) {
      greatest = Math.max(greatest, verdicts[i]);
    }
    return greatest;
  }

  @Override
  public String toString() {
    return (allowed ? "allowed" : "refused by " + limitedBy().orElseThrow())
        + " [policy=%s, permits=%d, limit=%d, remaining=%d, retryAfter=%s, resetAfter=%s"
            .formatted(policy.name(), permits, limit(), remaining(), retryAfter(), resetAfter())
        + (delay().isZero() ? "" : ", delay=" + delay())
        + ", source="
        + source.word()
        + (failure == null ? "" : ", failure=" + failure.word())
        + "]";
  }
}
