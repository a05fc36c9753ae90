package dev.weir.server.live;

import dev.weir.adaptive.Tier;

/**
 * A subject that went up a tier.
 *
 * @param atMillis when, since the epoch
 * @param policy the policy
 * @param limits the name of the limits
 * @param key the subject
 * @param from the tier before
 * @param to the tier after
 * @param risk its risk then, 0 to 100
 * @param why the signals with points, in words
 */
public record Anomaly(
    long atMillis,
    String policy,
    String limits,
    String key,
    Tier from,
    Tier to,
    double risk,
    String why) {}
