package dev.weir.server.draft;

import java.util.ArrayList;
import java.util.List;

/** The difference of two texts, line by line: the fewest lines taken out and put in. Pure. */
public final class TextDiff {

  /** Longer texts are told as replaced whole. */
  private static final int MOST_LINES = 3_000;

  /**
   * A line.
   *
   * @param sign {@code ' '} for one of both, {@code '-'} for one that goes, {@code '+'} for a new
   *     one
   * @param text the line
   */
  public record Line(char sign, String text) {}

  private TextDiff() {}

  /** The lines of both texts. */
  public static List<Line> of(String before, String after) {
    List<String> old = before.lines().toList();
    List<String> now = after.lines().toList();
    List<Line> lines = new ArrayList<>();
    if (old.size() > MOST_LINES || now.size() > MOST_LINES) {
      old.forEach(line -> lines.add(new Line('-', line)));
      now.forEach(line -> lines.add(new Line('+', line)));
      return lines;
    }
    int[][] common = common(old, now);
    int i = 0;
    int j = 0;
    while (i < old.size() || j < now.size()) {
      if (i < old.size() && j < now.size() && old.get(i).equals(now.get(j))) {
        lines.add(new Line(' ', old.get(i++)));
        j++;
      } else if (j == now.size() || (i < old.size() && common[i + 1][j] >= common[i][j + 1])) {
        lines.add(new Line('-', old.get(i++)));
      } else {
        lines.add(new Line('+', now.get(j++)));
      }
    }
    return lines;
  }

  /** How many lines the rests of the texts have in common, from each pair of lines on. */
  private static int[][] common(List<String> old, List<String> now) {
    int[][] common = new int[old.size() + 1][now.size() + 1];
    for (int i = old.size() - 1; i >= 0; i--) {
      for (int j = now.size() - 1; j >= 0; j--) {
        common[i][j] =
            old.get(i).equals(now.get(j))
                ? common[i + 1][j + 1] + 1
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    return common;
  }
}
