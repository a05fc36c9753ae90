package dev.weir.algorithm;

/**
 * Tokens used from a bucket whose tokens arrive together.
 *
 * @param anchorMicros when the bucket was first charged, or when tokens last arrived
 * @param used the tokens used at that time
 * @param capacity the capacity they were used under; what is above it is owed
 * @param lastMicros the time the state was advanced to; what is stored has that of the anchor
 */
record IntervalState(long anchorMicros, long used, long capacity, long lastMicros)
    implements LimitState {}
