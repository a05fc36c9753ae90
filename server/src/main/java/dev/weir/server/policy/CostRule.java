package dev.weir.server.policy;

/**
 * What requests of a kind cost.
 *
 * @param match which requests
 * @param cost how many permits, 0 or more
 */
public record CostRule(RequestMatch match, long cost) {}
