package dev.weir.server.policy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Decisions that are gone when the service stops. */
final class MemoryOverrideStore implements OverrideStore {

  private final Map<String, String> entries = new LinkedHashMap<>();
  private final Deque<String> trail = new ArrayDeque<>();
  private long changes;

  @Override
  public synchronized long changes() {
    return changes;
  }

  @Override
  public synchronized List<String> entries() {
    return List.copyOf(entries.values());
  }

  @Override
  public synchronized boolean put(String target, String entry, String line) {
    if (entries.size() >= MOST_TARGETS && !entries.containsKey(target)) {
      return false;
    }
    entries.put(target, entry);
    note(line);
    return true;
  }

  @Override
  public synchronized boolean remove(String target, String line) {
    if (entries.remove(target) == null) {
      return false;
    }
    note(line);
    return true;
  }

  @Override
  public synchronized void note(String line) {
    changes++;
    trail.addFirst(line);
    if (trail.size() > MOST_LINES) {
      trail.removeLast();
    }
  }

  @Override
  public synchronized List<String> trail(int most) {
    return trail.stream().limit(most).toList();
  }
}
