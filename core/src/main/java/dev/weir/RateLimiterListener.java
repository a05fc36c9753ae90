package dev.weir;

/**
 * Is told what a limiter does, for metrics and logs. Called on the thread that completes a call, so
 * it must be quick and must not block; what it throws is ignored. Must be safe for use by several
 * threads.
 */
public interface RateLimiterListener {

  /** A listener that does nothing. */
  RateLimiterListener NONE = new RateLimiterListener() {};

  /**
   * A call was decided.
   *
   * @param decision the decision, degraded or not
   * @param nanos how long the caller waited for it
   */
  default void decided(Decision decision, long nanos) {}

  /** A call was not decided by the store. */
  default void failed(String policy, FailureCause cause) {}

  /**
   * A shard of the store was given up for the time being, or is used again.
   *
   * @param shard the shard: a node of a Cluster, or the only one
   * @param open true if given up
   * @param cause why it was given up
   */
  default void breakerChanged(String shard, boolean open, FailureCause cause) {}

  /** A node did not know the script, and was sent it. */
  default void scriptLoaded(String policy) {}

  /** A key's state was damaged or not of this limiter, and was taken as fresh. */
  default void stateRepaired(String policy) {}
}
