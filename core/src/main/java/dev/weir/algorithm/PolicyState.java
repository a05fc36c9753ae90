package dev.weir.algorithm;

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
