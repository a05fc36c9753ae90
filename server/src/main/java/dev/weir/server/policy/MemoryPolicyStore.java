package dev.weir.server.policy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Policies that are gone when the service stops. */
final class MemoryPolicyStore implements PolicyStore {

  private final Deque<PolicyVersion> newestFirst = new ArrayDeque<>();

  @Override
  public synchronized long newest() {
    return newestFirst.isEmpty() ? 0 : newestFirst.getFirst().number();
  }

  @Override
  public synchronized Optional<PolicyVersion> version(long number) {
    return newestFirst.stream().filter(it -> it.number() == number).findFirst();
  }

  @Override
  public synchronized List<PolicyVersion> versions() {
    return List.copyOf(newestFirst);
  }

  @Override
  public synchronized boolean add(PolicyVersion next) {
    if (next.number() != newest() + 1) {
      return false;
    }
    newestFirst.addFirst(next);
    if (newestFirst.size() > MOST_VERSIONS) {
      newestFirst.removeLast();
    }
    return true;
  }
}
