package dev.weir.redis;

/** The script of each algorithm, and the letter that marks its state and its arguments. */
enum AlgorithmScript {
  DRAIN("D", "drain.lua"),
  INTERVAL("I", "interval.lua"),
  WINDOW("W", "window.lua"),
  COUNTER("C", "counter.lua"),
  LOG("L", "log.lua"),
  CONCURRENCY("K", "concurrency.lua");

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
