package dev.weir;

import java.time.Duration;

/**
 * What a decision says about one limit of its policy.
 *
 * @param name the limit's name in the policy
 * @param limit the limit
 * @param remaining how many single permits this limit would admit at the same instant, 0 to its
 *     capacity
 * @param retryAfter how long until this limit admits the call; {@link Wait#NONE} if it does
 * @param nextPermitAfter the time until {@code remaining} grows, with no other traffic; zero if
 *     nothing is used
 * @param resetAfter the time until this limit's state equals that of a fresh key
 */
public record LimitStatus(
    String name,
    Limit limit,
    long remaining,
    Wait retryAfter,
    Duration nextPermitAfter,
    Duration resetAfter) {}
