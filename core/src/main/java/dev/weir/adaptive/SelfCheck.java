package dev.weir.adaptive;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Watches whether the adaptive layer itself misbehaves: if more than 1% of the signed-in subjects
 * are above normal, or ten times as many subjects are blocked in a minute as in the day's median
 * minute, the layer is more likely wrong than they are. It then stays tripped until {@link #clear}:
 * whoever looks decides, since a layer that is turned on and off by itself helps nobody.
 *
 * <p>Its memory is bounded: 20,000 subjects, and a day's minutes. Pure but for its own state; the
 * time is an argument. Safe for use by several threads.
 */
public final class SelfCheck {

  /** Fewer signed-in subjects than these say nothing: 1% of them is less than two. */
  public static final int LEAST_SUBJECTS = 200;

  /** So many blocks in a minute are never too many. */
  public static final int LEAST_BLOCKS = 10;

  private static final int MOST_SUBJECTS = 10_000;
  private static final int MINUTES = 1_440;
  private static final int LEAST_MINUTES = 60;
  private static final int TIMES_THE_MEDIAN = 10;
  private static final long MINUTE_MICROS = 60_000_000;
  private static final long GENERATION_MINUTES = 10;

  private final Map<Integer, Boolean> signedIn = new LinkedHashMap<>();
  private final Map<Integer, Boolean> before = new LinkedHashMap<>();
  private final Map<Integer, Boolean> blocked = new BoundedMap();
  private final int[] blocksOfMinute = new int[MINUTES];
  private long minute = -1;
  private long minutesSeen;
  private int blocksNow;
  private int mostBlocks = Integer.MAX_VALUE;
  private volatile @Nullable String reason;

  /** A check that has seen nothing yet. */
  public SelfCheck() {}

  /** Forgets who was added first when it is full. */
  private static final class BoundedMap extends LinkedHashMap<Integer, Boolean> {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<Integer, Boolean> eldest) {
      return size() > MOST_SUBJECTS;
    }
  }

  /**
   * Notes a decision.
   *
   * @param subject the subject's hash
   * @param isSignedIn whether somebody is signed in
   * @param tier the tier that was found, enforced or not
   * @param nowMicros the time of the decision
   * @return whether this decision tripped it
   */
  public synchronized boolean decided(int subject, boolean isSignedIn, Tier tier, long nowMicros) {
    boolean isNewMinute = advance(nowMicros / MINUTE_MICROS);
    if (isSignedIn && (signedIn.size() < MOST_SUBJECTS || signedIn.containsKey(subject))) {
      signedIn.put(subject, tier != Tier.NORMAL);
    }
    if (tier == Tier.BLOCKED) {
      if (blocked.put(subject, true) == null) {
        blocksNow++;
      }
    } else {
      blocked.remove(subject);
    }
    if (reason != null) {
      return false;
    }
    // Who is above normal is counted once a minute, blocks at once.
    reason = isNewMinute ? tooManyAbove() : null;
    reason = reason == null ? tooManyBlocks() : reason;
    return reason != null;
  }

  /** Moves on to a minute, and tells whether it is a new one. */
  private boolean advance(long now) {
    if (minute < 0) {
      minute = now;
    }
    if (now <= minute) {
      return false;
    }
    for (long skipped = Math.min(now - minute, MINUTES); skipped > 0; skipped--) {
      blocksOfMinute[(int) (minutesSeen++ % MINUTES)] = blocksNow;
      blocksNow = 0;
    }
    if (now / GENERATION_MINUTES > minute / GENERATION_MINUTES) {
      before.clear();
      before.putAll(signedIn);
      signedIn.clear();
    }
    minute = now;
    mostBlocks =
        minutesSeen < LEAST_MINUTES
            ? Integer.MAX_VALUE
            : Math.max(LEAST_BLOCKS, TIMES_THE_MEDIAN * median());
    return true;
  }

  private @Nullable String tooManyAbove() {
    int known = signedIn.size();
    int above = count(signedIn);
    for (Map.Entry<Integer, Boolean> subject : before.entrySet()) {
      if (!signedIn.containsKey(subject.getKey())) {
        known++;
        above += subject.getValue() ? 1 : 0;
      }
    }
    return known >= LEAST_SUBJECTS && above * 100L > known
        ? "%d of %d signed-in subjects are above normal, and 1%% may be".formatted(above, known)
        : null;
  }

  private @Nullable String tooManyBlocks() {
    return blocksNow > mostBlocks
        ? "%d subjects were blocked in a minute, and %d may be".formatted(blocksNow, mostBlocks)
        : null;
  }

  private static int count(Map<Integer, Boolean> subjects) {
    int above = 0;
    for (boolean each : subjects.values()) {
      above += each ? 1 : 0;
    }
    return above;
  }

  private int median() {
    int[] sorted = Arrays.copyOf(blocksOfMinute, (int) Math.min(minutesSeen, MINUTES));
    Arrays.sort(sorted);
    return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
  }

  /** Why it has tripped; empty while all is well. */
  public Optional<String> reason() {
    return Optional.ofNullable(reason);
  }

  /** Whoever has looked lets the layer enforce again; what was counted counts no more. */
  public synchronized void clear() {
    reason = null;
    signedIn.clear();
    before.clear();
    blocked.clear();
    blocksNow = 0;
  }
}
