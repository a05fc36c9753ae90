package dev.weir.algorithm;

import dev.weir.RateLimitPolicy;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is stored for one key: the state of each limit under its {@linkplain
 * dev.weir.RateLimitPolicy.NamedLimit#stateId() id}. Immutable, but for the logs in it.
 */
public final class PolicyState {

  private final int[] ids;
  private final LimitState[] states;

  PolicyState(int[] ids, LimitState[] states) {
    this.ids = ids;
    this.states = states;
  }

  /** How many states of limits that no policy here knows are carried along: as many as may be. */
  private static final int MOST_CARRIED = RateLimitPolicy.MAX_LIMITS;

  /**
   * These states, and those stored for limits that the policy does not know: a node with an older
   * or newer policy may know them.
   */
  static PolicyState carrying(@Nullable PolicyState stored, int[] ids, LimitState[] states) {
    if (stored == null || Arrays.equals(stored.ids, ids)) {
      return new PolicyState(ids, states);
    }
    int[] unknown =
        Arrays.stream(stored.ids)
            .filter(id -> Arrays.stream(ids).noneMatch(own -> own == id))
            .limit(MOST_CARRIED)
            .toArray();
    int[] allIds = Arrays.copyOf(ids, ids.length + unknown.length);
    LimitState[] allStates = Arrays.copyOf(states, allIds.length);
    for (int i = 0; i < unknown.length; i++) {
      allIds[ids.length + i] = unknown[i];
      allStates[ids.length + i] = Objects.requireNonNull(stored.find(unknown[i], 0));
    }
    return new PolicyState(allIds, allStates);
  }

  /** Whether there are states of limits that a policy of these does not know. */
  boolean carriesBeyond(int limits) {
    return ids.length > limits;
  }

  /** The state stored for an id, or {@code null}; most often it is at the same index. */
  @Nullable LimitState find(int id, int index) {
    if (index < ids.length && ids[index] == id) {
      return states[index];
    }
    for (int i = 0; i < ids.length; i++) {
      if (ids[i] == id) {
        return states[i];
      }
    }
    return null;
  }
}
