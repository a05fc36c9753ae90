package dev.weir.adaptive;

/**
 * What the counters say.
 *
 * @param points the points of each signal, by its index
 * @param total their sum, at most 100
 * @param isHard whether one signal alone suffices for a block
 * @param strong how many signals have enough points to count as one of two reasons
 * @param isSoft whether only soft signals have points, and fewer than two of them enough
 * @param isShared whether several people seem to be behind the subject
 */
@SuppressWarnings("ArrayRecordComponent")
record Evidence(
    double[] points, double total, boolean isHard, int strong, boolean isSoft, boolean isShared) {}
