package dev.weir.adaptive;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which missing paths are missing for many, and so say little of any one who asks. Bounded, in this
 * process only. Safe for use by several threads.
 */
public final class PopularMissing {

  private final int subjects;
  private final Map<Integer, int[]> askers;

  /**
   * An empty one.
   *
   * @param policy how many subjects make a path popular, and how many paths are kept
   */
  public PopularMissing(AdaptivePolicy policy) {
    this.subjects = (int) policy.get(Setting.POPULAR_SUBJECTS);
    int most = (int) policy.get(Setting.POPULAR_PATHS);
    this.askers =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Integer, int[]> eldest) {
            return size() > most;
          }
        };
  }

  /**
   * Notes that a path was missing for a subject.
   *
   * @param counts whether the subject's asking counts for others: it is in good standing
   * @return whether it was so for enough others before
   */
  public synchronized boolean note(int path, int subject, boolean counts) {
    int[] known = askers.computeIfAbsent(path, key -> new int[1]);
    int others = 0;
    boolean isKnown = false;
    for (int i = 1; i < known.length; i++) {
      if (known[i] == subject) {
        isKnown = true;
      } else {
        others++;
      }
    }
    if (counts && !isKnown && known.length <= subjects) {
      int[] grown = java.util.Arrays.copyOf(known, known.length + 1);
      grown[known.length] = subject;
      askers.put(path, grown);
    }
    return others >= subjects;
  }
}
