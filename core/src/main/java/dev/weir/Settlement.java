package dev.weir;

/**
 * What became of a reservation that was to be settled or cancelled. Immutable.
 *
 * @param found whether there was such a reservation: if not it was settled or cancelled before, has
 *     expired, or its key was reset, and nothing was changed
 * @param permits what the reservation has cost in the end; 0 if it was not found
 * @param decision the limits after it, or the failure if the store did not answer
 */
public record Settlement(boolean found, long permits, Decision decision) {}
