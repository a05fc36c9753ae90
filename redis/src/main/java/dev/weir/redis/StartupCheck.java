package dev.weir.redis;

import java.util.ArrayList;
import java.util.List;

/** Reads what check.lua found, and says what is not as a limiter needs it. Pure. */
final class StartupCheck {

  private static final int OLDEST_TESTED = 6_02_00;

  private StartupCheck() {}

  /** A sentence for each thing that will not stop the limiter and should be known. */
  static List<String> warnings(List<Long> found) {
    List<String> warnings = new ArrayList<>();
    long version = found.get(0);
    if (version > 0 && version < OLDEST_TESTED) {
      warnings.add(
          "Redis is version %d.%d, and the oldest that Weir is tested on is 6.2: upgrade it."
              .formatted(version / 10_000, version / 100 % 100));
    }
    if (found.get(1) == 0) {
      warnings.add(
          "Redis is a replica, which refuses every charge: connect to the master, or through"
              + " Sentinel or Cluster.");
    }
    if (found.get(2) == 1 && found.get(3) == 1) {
      warnings.add(
          "Redis evicts keys when its memory is full, and an evicted key is a fresh limit: set"
              + " maxmemory-policy to noeviction, or give the limits a Redis of their own and"
              + " watch evicted_keys.");
    }
    return warnings;
  }
}
