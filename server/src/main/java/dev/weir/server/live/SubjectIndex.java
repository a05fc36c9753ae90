package dev.weir.server.live;

import dev.weir.adaptive.Hash;
import dev.weir.adaptive.Tier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The subjects that were seen last, 100,000 at most: who is forgotten here is limited all the same.
 * Safe for use by several threads; a note holds the lock of a part of the index for some counting.
 */
public final class SubjectIndex {

  private static final int PARTS = 64;

  private record Name(String limits, String key) {}

  private final List<Part> parts = new ArrayList<>();

  private static final class Part extends LinkedHashMap<Name, SubjectRecord> {
    private static final long serialVersionUID = 1L;
    private final int most;

    Part(int most) {
      super(16, 0.75f, true);
      this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Name, SubjectRecord> eldest) {
      return size() > most;
    }
  }

  /** An empty index of at most that many subjects, rounded up to a multiple of 64. */
  public SubjectIndex(int most) {
    for (int i = 0; i < PARTS; i++) {
      parts.add(new Part((most + PARTS - 1) / PARTS));
    }
  }

  private Part part(Name name) {
    return parts.get(Math.floorMod(Hash.of(name.key()), PARTS));
  }

  /**
   * Notes a decision.
   *
   * @return the tier before it
   */
  Tier note(
      String policy,
      String limits,
      String key,
      boolean isRefused,
      @Nullable Tier tier,
      boolean isInGoodStanding,
      long nowMillis) {
    Name name = new Name(limits, key);
    Part part = part(name);
    synchronized (part) {
      SubjectRecord record =
          part.computeIfAbsent(name, it -> new SubjectRecord(policy, limits, key, nowMillis));
      record.count(isRefused, nowMillis);
      return change(record, tier, isInGoodStanding);
    }
  }

  /** Notes how a subject stands, if it is known; returns the tier before. */
  Tier stands(String limits, String key, Tier tier, boolean isInGoodStanding) {
    Name name = new Name(limits, key);
    Part part = part(name);
    synchronized (part) {
      SubjectRecord record = part.get(name);
      return record == null ? tier : change(record, tier, isInGoodStanding);
    }
  }

  private static Tier change(SubjectRecord record, @Nullable Tier tier, boolean isInGoodStanding) {
    Tier before = record.tier;
    if (tier != null) {
      record.tier = tier;
      record.isInGoodStanding = isInGoodStanding;
    }
    return before;
  }

  boolean isInGoodStanding(String limits, String key) {
    Name name = new Name(limits, key);
    Part part = part(name);
    synchronized (part) {
      SubjectRecord record = part.get(name);
      return record == null || record.isInGoodStanding;
    }
  }

  /** Notes a subject's risk, and its tier as it is now. */
  public void risk(String limits, String key, double risk, Tier tier, long nowMillis) {
    with(
        limits,
        key,
        record -> {
          record.risk(risk, nowMillis);
          record.tier = tier;
        });
  }

  /** Notes that somebody looks at a subject, so that its risk is followed for a while. */
  public void asked(String limits, String key, long nowMillis) {
    with(limits, key, record -> record.askedAtMillis = nowMillis);
  }

  private void with(String limits, String key, Consumer<SubjectRecord> action) {
    Name name = new Name(limits, key);
    Part part = part(name);
    synchronized (part) {
      SubjectRecord record = part.get(name);
      if (record != null) {
        action.accept(record);
      }
    }
  }

  /** Forgets a subject. */
  public void remove(String limits, String key) {
    Name name = new Name(limits, key);
    Part part = part(name);
    synchronized (part) {
      part.remove(name);
    }
  }

  /** A subject, if it was seen. */
  public Optional<SubjectView> find(String limits, String key, long nowMillis) {
    Name name = new Name(limits, key);
    Part part = part(name);
    synchronized (part) {
      return Optional.ofNullable(part.get(name)).map(it -> view(it, nowMillis));
    }
  }

  /** How many are known. */
  public int size() {
    int size = 0;
    for (Part part : parts) {
      synchronized (part) {
        size += part.size();
      }
    }
    return size;
  }

  /** Subjects whose key has the text in it, whatever the case; those seen last first. */
  public List<SubjectView> search(String text, String policy, int most, long nowMillis) {
    String lower = text.toLowerCase(Locale.ROOT);
    return best(
        record ->
            (policy.isEmpty() || record.policy.equals(policy))
                && record.key.toLowerCase(Locale.ROOT).contains(lower),
        Comparator.comparingLong(SubjectView::lastMillis),
        most,
        nowMillis);
  }

  /** Those who were refused most in the last five to ten minutes. */
  public List<SubjectView> topLimited(int most, long nowMillis) {
    return best(
        record -> record.refusedLately(nowMillis) > 0,
        Comparator.comparingInt(SubjectView::refusedLately),
        most,
        nowMillis);
  }

  /** Those in a tier above normal, the strictest first. */
  public List<SubjectView> aboveNormal(int most, long nowMillis) {
    return best(
        record -> record.tier != Tier.NORMAL,
        Comparator.comparingInt((SubjectView it) -> it.tier().level())
            .thenComparingLong(SubjectView::lastMillis),
        most,
        nowMillis);
  }

  /** Those that their behaviour blocks, the ones seen last first. */
  public List<SubjectView> blocked(int most, long nowMillis) {
    return best(
        record -> record.tier == Tier.BLOCKED,
        Comparator.comparingLong(SubjectView::lastMillis),
        most,
        nowMillis);
  }

  /** Those that somebody looked at since. */
  public List<SubjectView> askedSince(long millis, int most, long nowMillis) {
    return best(
        record -> record.askedAtMillis > millis,
        Comparator.comparingLong(SubjectView::lastMillis),
        most,
        nowMillis);
  }

  private List<SubjectView> best(
      Predicate<SubjectRecord> fits, Comparator<SubjectView> order, int most, long nowMillis) {
    PriorityQueue<SubjectView> best = new PriorityQueue<>(order);
    for (Part part : parts) {
      synchronized (part) {
        for (SubjectRecord record : part.values()) {
          if (fits.test(record)) {
            best.add(view(record, nowMillis));
            if (best.size() > most) {
              best.remove();
            }
          }
        }
      }
    }
    List<SubjectView> found = new ArrayList<>(best);
    found.sort(order.reversed());
    return found;
  }

  private static SubjectView view(SubjectRecord record, long nowMillis) {
    return new SubjectView(
        record.policy,
        record.limits,
        record.key,
        record.tier,
        record.requests,
        record.refused,
        record.refusedLately(nowMillis),
        record.firstMillis,
        record.lastMillis,
        record.risks());
  }
}
