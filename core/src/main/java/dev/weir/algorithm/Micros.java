package dev.weir.algorithm;

import java.time.Duration;

/** Durations as microseconds. */
final class Micros {

  private Micros() {}

  /** The duration in whole microseconds, which limits guarantee it to be. */
  static long of(Duration duration) {
    return duration.getSeconds() * 1_000_000L + duration.getNano() / 1000;
  }
}
