package dev.weir.adaptive;

import dev.weir.algorithm.PolicyState;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a subject: its behaviour, and what it used of the base limits and of the adaptive
 * ones. They are apart so that a change of tier takes nothing from the base limits.
 *
 * @param behaviour the signals; {@code null} for a subject never seen
 * @param base the state of the base limits; {@code null} if fresh
 * @param adaptive the state of the limits that the tier lowers; {@code null} if fresh
 */
public record AdaptiveState(
    @Nullable SubjectState behaviour, @Nullable PolicyState base, @Nullable PolicyState adaptive) {

  /** A subject never seen. */
  public static final AdaptiveState FRESH = new AdaptiveState(null, null, null);
}
