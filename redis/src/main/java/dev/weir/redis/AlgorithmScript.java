package dev.weir.redis;

/**
 * The script of each algorithm, and the letter that marks its arguments; also its state, but for a
 * calendar's, which is that of a window.
 */
enum AlgorithmScript {
  DRAIN("D", "drain.lua"),
  INTERVAL("I", "interval.lua"),
  WINDOW("W", "window.lua"),
  COUNTER("C", "counter.lua"),
  LOG("L", "log.lua"),
  CONCURRENCY("K", "concurrency.lua"),
  CALENDAR("Z", "calendar.lua");

  private final String letter;
  private final String file;

  AlgorithmScript(String letter, String file) {
    this.letter = letter;
    this.file = file;
  }

  String letter() {
    return letter;
  }

  String file() {
    return file;
  }
}
