package dev.weir.algorithm;

import dev.weir.AlgorithmKind;
import dev.weir.Charge;
import dev.weir.Decision;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimitPolicy.NamedLimit;
import dev.weir.Source;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The arithmetic of a whole policy: all its limits are asked first, and charged only if every one
 * of them admits the call. Immutable and pure.
 */
public final class PolicyAlgorithm {

  private static final long NEVER = -1;
  private static final long NOT_CHARGED = -1;

  private final RateLimitPolicy policy;
  private final int[] ids;
  private final LimitAlgorithm<LimitState>[] algorithms;

  /** The arithmetic of a policy. */
  public PolicyAlgorithm(RateLimitPolicy policy) {
    this.policy = policy;
    List<NamedLimit> limits = policy.limits();
    this.ids = limits.stream().mapToInt(NamedLimit::stateId).toArray();
    this.algorithms =
        limits.stream()
            .map(named -> widened(LimitAlgorithm.of(named.limit())))
            .toArray(PolicyAlgorithm::array);
  }

  // An algorithm only ever meets states that its own advance() made.
  @SuppressWarnings("unchecked")
  private static LimitAlgorithm<LimitState> widened(LimitAlgorithm<? extends LimitState> narrow) {
    return (LimitAlgorithm<LimitState>) narrow;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static LimitAlgorithm<LimitState>[] array(int length) {
    return new LimitAlgorithm[length];
  }

  /** The policy. */
  public RateLimitPolicy policy() {
    return policy;
  }

  /**
   * Judges a call.
   *
   * @param stored what was stored for the key, by this policy or an earlier one of its name, or
   *     {@code null}
   * @param permits the cost, 0 or more; 0 is always admitted and never charged
   * @param charge whether to charge if admitted
   * @param nowMicros the time of the call
   */
  public Outcome decide(
      @Nullable PolicyState stored, long permits, boolean charge, long nowMicros) {
    return decide(stored, permits, charge, 0, nowMicros);
  }

  /**
   * Judges a call that is to be refused for some time at least.
   *
   * @param leastWaitMicros for how long it is refused whatever the limits say; 0 to ask them alone
   */
  public Outcome decide(
      @Nullable PolicyState stored,
      long permits,
      boolean charge,
      long leastWaitMicros,
      long nowMicros) {
    Call call = new Call(stored, nowMicros);
    boolean admitted =
        call.judge((i, state) -> waitMicros(i, state, permits, leastWaitMicros, nowMicros));
    boolean charged = admitted && charge && permits > 0;
    if (charged) {
      call.change((i, state) -> algorithms[i].charge(state, permits));
    }
    return call.outcome(permits, charged, charged);
  }

  /**
   * Charges a call whatever is available: what is beyond a limit is owed. Refused, with a wait of
   * never and nothing charged, if a limit cannot keep such a debt.
   *
   * @param permits the cost, 0 or more
   */
  public Outcome charge(@Nullable PolicyState stored, long permits, long nowMicros) {
    Call call = new Call(stored, nowMicros);
    boolean kept =
        call.judge((i, state) -> permits == 0 || algorithms[i].canOwe(state, permits) ? 0 : NEVER);
    boolean charged = kept && permits > 0;
    if (charged) {
      call.change((i, state) -> algorithms[i].charge(state, permits));
    }
    return call.outcome(permits, charged, charged);
  }

  /**
   * Gives permits back.
   *
   * @param permits how many, 0 or more
   * @param charge the charge that they are from; {@code null} for the newest that are in use
   * @return an outcome whose decision describes the state after it; its permits are 0
   */
  public Outcome refund(
      @Nullable PolicyState stored, long permits, @Nullable Charge charge, long nowMicros) {
    Call call = new Call(stored, nowMicros);
    call.change((i, state) -> refunded(i, state, permits, charge));
    return call.outcome(0, call.isChanged, false);
  }

  /**
   * Ends a reservation: what it took too much is given back, what it took too little is charged,
   * and what is held is held no more.
   *
   * @param charge what was reserved
   * @param permits the real cost, 0 or more
   * @return an outcome whose decision describes the state after it; its permits are the real cost,
   *     or what was reserved if a limit cannot keep the debt that the rest would be
   */
  public Outcome settle(@Nullable PolicyState stored, Charge charge, long permits, long nowMicros) {
    Call call = new Call(stored, nowMicros);
    long more = permits - charge.permits();
    boolean kept = more <= 0 || call.all((i, state) -> holds(i) || canOwe(i, state, more));
    call.change((i, state) -> settled(i, state, charge, kept ? more : 0));
    return call.outcome(kept ? permits : charge.permits(), call.isChanged, false);
  }

  private boolean canOwe(int i, LimitState state, long permits) {
    return algorithms[i].canOwe(state, permits);
  }

  /** Whether a limit is of permits held, not of permits used. */
  private boolean holds(int i) {
    return policy.limits().get(i).limit().kind() == AlgorithmKind.CONCURRENCY;
  }

  private LimitState settled(int i, LimitState state, Charge charge, long more) {
    if (holds(i)) {
      return refunded(i, state, charge.permits(), charge);
    }
    return more > 0 ? algorithms[i].charge(state, more) : refunded(i, state, -more, charge);
  }

  private LimitState refunded(int i, LimitState state, long permits, @Nullable Charge charge) {
    Charge.OfLimit part = charge == null ? null : charge.limit(ids[i]);
    return permits == 0 || (charge != null && part == null)
        ? state
        : algorithms[i].refund(state, permits, part);
  }

  /** The wait of one limit's state. */
  private interface Wait {
    long of(int limit, LimitState state);
  }

  /** A question to one limit's state. */
  private interface Question {
    boolean of(int limit, LimitState state);
  }

  /** A step of one limit's state. */
  private interface Change {
    LimitState of(int limit, LimitState state);
  }

  /** One call: the states at its time, and what becomes of them. */
  private final class Call {
    private final @Nullable PolicyState stored;
    private final long nowMicros;
    private final LimitState[] states = new LimitState[algorithms.length];
    private final long[] verdicts = new long[algorithms.length * Decision.VERDICT_LENGTH];
    private boolean isChanged;

    Call(@Nullable PolicyState stored, long nowMicros) {
      this.stored = stored;
      this.nowMicros = nowMicros;
      for (int i = 0; i < states.length; i++) {
        LimitState before = stored == null ? null : stored.find(ids[i], i);
        states[i] = algorithms[i].advance(before, nowMicros);
      }
    }

    boolean judge(Wait waits) {
      boolean admitted = true;
      for (int i = 0; i < states.length; i++) {
        long wait = waits.of(i, states[i]);
        verdicts[i * Decision.VERDICT_LENGTH + 1] = wait;
        verdicts[i * Decision.VERDICT_LENGTH + 4] = algorithms[i].delayMicros(states[i]);
        admitted &= wait == 0;
      }
      return admitted;
    }

    boolean all(Question question) {
      for (int i = 0; i < states.length; i++) {
        if (!question.of(i, states[i])) {
          return false;
        }
      }
      return true;
    }

    void change(Change change) {
      for (int i = 0; i < states.length; i++) {
        LimitState before = states[i];
        states[i] = change.of(i, before);
        isChanged |= states[i] != before;
      }
    }

    Outcome outcome(long permits, boolean store, boolean charged) {
      long freshAt = nowMicros;
      long latest = 0;
      for (int i = 0; i < states.length; i++) {
        describe(algorithms[i], states[i], nowMicros, verdicts, i * Decision.VERDICT_LENGTH);
        freshAt = Math.max(freshAt, nowMicros + verdicts[i * Decision.VERDICT_LENGTH + 3]);
        latest = Math.max(latest, states[i].lastMicros());
      }
      Decision decision =
          Decision.of(
              policy, Source.MEMORY, permits, nowMicros, charged ? latest : NOT_CHARGED, verdicts);
      if (!store) {
        return new Outcome(decision, null, freshAt, false);
      }
      PolicyState toStore = PolicyState.carrying(stored, ids, states);
      return new Outcome(decision, toStore, freshAt, toStore.carriesBeyond(states.length));
    }
  }

  private long waitMicros(int i, LimitState state, long permits, long least, long nowMicros) {
    LimitAlgorithm<LimitState> algorithm = algorithms[i];
    if (permits > algorithm.capacity()) {
      return NEVER;
    }
    return permits <= algorithm.available(state)
        ? least
        : Math.max(least, state.lastMicros() - nowMicros + algorithm.waitMicros(state, permits));
  }

  private static void describe(
      LimitAlgorithm<LimitState> algorithm,
      LimitState state,
      long nowMicros,
      long[] verdicts,
      int at) {
    // The state may be ahead of this call's reading; waits are counted from the reading.
    long ahead = state.lastMicros() - nowMicros;
    long available = algorithm.available(state);
    long reset = algorithm.resetMicros(state);
    verdicts[at] = available;
    verdicts[at + 2] =
        available == algorithm.capacity() ? 0 : ahead + algorithm.waitMicros(state, available + 1);
    verdicts[at + 3] = reset == 0 ? 0 : ahead + reset;
    verdicts[at + 4] += verdicts[at + 4] == 0 ? 0 : ahead;
  }

  /**
   * What came of a call.
   *
   * @param decision the answer
   * @param toStore the state to store, or {@code null} if the call changed nothing
   * @param freshAtMicros when the states of this policy's limits equal fresh ones
   * @param carries whether other limits' states are stored along, which may not be fresh by then
   */
  public record Outcome(
      Decision decision, @Nullable PolicyState toStore, long freshAtMicros, boolean carries) {}
}
