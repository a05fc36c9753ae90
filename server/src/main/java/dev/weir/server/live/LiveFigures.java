package dev.weir.server.live;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts for each policy, in steps of 10 s, for the last 30 minutes. At most 1,024 policies are
 * counted by their names. Safe for use by several threads; a count is two atomic steps.
 */
public final class LiveFigures {

  /** How long a step is, in milliseconds. */
  public static final long STEP_MILLIS = 10_000;

  /** How many steps are kept. */
  public static final int STEPS = 180;

  private static final int MOST_POLICIES = 1_024;
  private static final int KINDS = Figure.values().length;

  private final Map<String, Series> series = new ConcurrentHashMap<>();

  /** The ring of a policy: for each step its number and its counts. */
  private static final class Series {
    // One step more than is told, so that the oldest is whole.
    private final AtomicLongArray steps = new AtomicLongArray(STEPS + 1);
    private final AtomicLongArray counts = new AtomicLongArray((STEPS + 1) * KINDS);

    void add(long step, Figure figure) {
      int slot = (int) (step % (STEPS + 1));
      if (steps.get(slot) != step) {
        clear(slot, step);
      }
      counts.incrementAndGet(slot * KINDS + figure.index());
    }

    private synchronized void clear(int slot, long step) {
      if (steps.get(slot) < step) {
        for (int i = 0; i < KINDS; i++) {
          counts.set(slot * KINDS + i, 0);
        }
        steps.set(slot, step);
      }
    }

    long get(long step, Figure figure) {
      int slot = (int) (step % (STEPS + 1));
      return steps.get(slot) == step ? counts.get(slot * KINDS + figure.index()) : 0;
    }
  }

  /** Counts one. */
  public void add(String policy, Figure figure, long nowMillis) {
    Series known = series.get(policy);
    if (known == null) {
      if (series.size() >= MOST_POLICIES) {
        return;
      }
      known = series.computeIfAbsent(policy, name -> new Series());
    }
    known.add(nowMillis / STEP_MILLIS, figure);
  }

  /** The policies that something was counted for. */
  public List<String> policies() {
    return series.keySet().stream().sorted().toList();
  }

  /**
   * The counts of the last steps, the oldest first; the last is the one that runs.
   *
   * @param steps how many, 1 to {@link #STEPS}
   */
  public List<Long> last(String policy, Figure figure, int steps, long nowMillis) {
    Series known = series.get(policy);
    List<Long> counts = new ArrayList<>(steps);
    long newest = nowMillis / STEP_MILLIS;
    for (long step = newest - steps + 1; step <= newest; step++) {
      counts.add(known == null ? 0 : known.get(step, figure));
    }
    return counts;
  }
}
