package dev.weir.server.policy;

import dev.weir.RateLimiterException;
import java.util.List;

/**
 * Keeps what somebody decided by hand, each about one target, and the trail of all such decisions.
 * The texts are the caller's. All calls may wait for the store, and throw {@link
 * RateLimiterException} if it does not answer. Safe for use by several threads.
 */
public interface OverrideStore {

  /** How many lines of the trail are kept: 10,000. */
  int MOST_LINES = 10_000;

  /** How many targets there can be: 10,000. */
  int MOST_TARGETS = 10_000;

  /** A number that grows with each change. */
  long changes();

  /** What was decided, about one target each, in no order. */
  List<String> entries();

  /**
   * Decides about a target, instead of what was decided before.
   *
   * @param line what the trail says of it
   * @return whether there was room
   */
  boolean put(String target, String entry, String line);

  /**
   * Takes back what was decided about a target.
   *
   * @return whether there was something
   */
  boolean remove(String target, String line);

  /** Adds a line to the trail for what is no override, such as a reset. */
  void note(String line);

  /** The newest lines of the trail, the newest first. */
  List<String> trail(int most);
}
