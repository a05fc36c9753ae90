package dev.weir.benchmarks;

import java.util.stream.IntStream;

/** The keys that all contestants are asked for: 20 characters each. */
final class Keys {

  static final int MANY = 1_000;

  private static final String[] ALL =
      IntStream.range(0, MANY).mapToObj("user:%015d"::formatted).toArray(String[]::new);

  private Keys() {}

  static String of(int number) {
    return ALL[number];
  }
}
