package dev.weir.server.live;

/**
 * A subject's risk at a time.
 *
 * @param atMillis when, since the epoch
 * @param risk 0 to 100
 */
public record RiskAt(long atMillis, double risk) {}
