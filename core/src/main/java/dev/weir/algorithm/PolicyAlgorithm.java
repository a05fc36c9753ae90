package dev.weir.algorithm;

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
    int count = algorithms.length;
    LimitState[] states = new LimitState[count];
    long[] verdicts = new long[count * Decision.VERDICT_LENGTH];
    boolean admitted = true;
    for (int i = 0; i < count; i++) {
      LimitState before = stored == null ? null : stored.find(ids[i], i);
      states[i] = algorithms[i].advance(before, nowMicros);
      long wait = waitMicros(algorithms[i], states[i], permits, nowMicros);
      verdicts[i * Decision.VERDICT_LENGTH + 1] = wait;
      admitted &= wait == 0;
    }
    boolean charged = admitted && charge && permits > 0;
    long freshAt = nowMicros;
    for (int i = 0; i < count; i++) {
      long delay = algorithms[i].delayMicros(states[i]);
      if (charged) {
        states[i] = algorithms[i].charge(states[i], permits);
      }
      describe(algorithms[i], states[i], delay, nowMicros, verdicts, i * Decision.VERDICT_LENGTH);
      freshAt = Math.max(freshAt, nowMicros + verdicts[i * Decision.VERDICT_LENGTH + 3]);
    }
    Decision decision = Decision.of(policy, Source.MEMORY, permits, verdicts);
    if (!charged) {
      return new Outcome(decision, null, freshAt, false);
    }
    PolicyState toStore = PolicyState.carrying(stored, ids, states);
    return new Outcome(decision, toStore, freshAt, toStore.carriesBeyond(count));
  }

  private static long waitMicros(
      LimitAlgorithm<LimitState> algorithm, LimitState state, long permits, long nowMicros) {
    if (permits <= algorithm.available(state)) {
      return 0;
    }
    return permits > algorithm.capacity()
        ? NEVER
        : state.lastMicros() - nowMicros + algorithm.waitMicros(state, permits);
  }

  private static void describe(
      LimitAlgorithm<LimitState> algorithm,
      LimitState state,
      long delay,
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
    verdicts[at + 4] = delay == 0 ? 0 : ahead + delay;
  }

  /**
   * What came of a call.
   *
   * @param decision the answer
   * @param toStore the state to store, or {@code null} if the call charged nothing
   * @param freshAtMicros when the states of this policy's limits equal fresh ones
   * @param carries whether other limits' states are stored along, which may not be fresh by then
   */
  public record Outcome(
      Decision decision, @Nullable PolicyState toStore, long freshAtMicros, boolean carries) {}
}
