package dev.weir.server.live;

import dev.weir.adaptive.Tier;
import java.util.List;

/**
 * What was seen of a subject.
 *
 * @param policy the policy
 * @param limits the name of the limits that judge it: the policy's, or that of a plan
 * @param key the key
 * @param tier its tier when it was last seen
 * @param requests how many since it is known
 * @param refused how many of them were refused
 * @param refusedLately how many in the last five to ten minutes
 * @param firstMillis since when it is known
 * @param lastMillis when it was last seen
 * @param risks its risk over time, the oldest first
 */
public record SubjectView(
    String policy,
    String limits,
    String key,
    Tier tier,
    long requests,
    long refused,
    int refusedLately,
    long firstMillis,
    long lastMillis,
    List<RiskAt> risks) {}
