package dev.weir.benchmarks;

/**
 * How long to measure.
 *
 * @param rounds how often each contestant has its turn
 * @param warmMillis how long each is asked before the first turn
 * @param turnMillis how long a turn is
 */
record Settings(int rounds, long warmMillis, long turnMillis) {

  static final Settings QUICK = new Settings(3, 1_500, 1_000);
  static final Settings FULL = new Settings(7, 4_000, 3_000);
  static final Settings SMOKE = new Settings(1, 50, 50);
}
