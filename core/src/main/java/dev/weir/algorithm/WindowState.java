package dev.weir.algorithm;

/**
 * Permits charged in a fixed window or one of a calendar.
 *
 * @param lastMicros the time of the last charge
 * @param startMicros the start of the window of that charge
 * @param used the permits charged in that window
 */
record WindowState(long lastMicros, long startMicros, long used) implements LimitState {}
