package dev.weir.config;

import java.util.List;

/** What somebody may have meant. */
final class Suggestion {

  private static final int LONGEST = 40;

  private Suggestion() {}

  /** {@code ", did you mean 'x'?"} for the nearest known word, or nothing if none is near. */
  static String of(String text, List<String> known) {
    String nearest = "";
    int least = 4;
    if (text.length() <= LONGEST) {
      for (String word : known) {
        int distance = distance(text, word);
        if (distance < least && distance < word.length()) {
          least = distance;
          nearest = word;
        }
      }
    }
    return nearest.isEmpty() ? "" : "; did you mean '" + nearest + "'?";
  }

  /** Levenshtein's distance. */
  private static int distance(String a, String b) {
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, Math.min(previous[j], current[j - 1]) + 1);
      }
      previous = current;
    }
    return previous[b.length()];
  }
}
