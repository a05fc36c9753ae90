package dev.weir.server.replay;

import dev.weir.adaptive.RouteClass;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Two rules in wide use to compare with, as their documentation describes them: a client is found
 * when a leaky bucket overflows. Probing: 10 distinct paths answered 400, 403 or 404, one leaks in
 * 10 s. Crawling: 40 distinct paths, one leaks in 0.5 s. Static files count for neither.
 */
final class ProbingRules {

  private static final Set<Integer> PROBED = Set.of(400, 403, 404);

  private final Map<String, Client> clients = new HashMap<>();

  void see(LogLine line) {
    clients.computeIfAbsent(line.address(), any -> new Client()).see(line);
  }

  boolean found(String address) {
    Client client = clients.get(address);
    return client != null && client.found;
  }

  private static final class Client {
    private final Bucket probing = new Bucket(10, 10_000_000);
    private final Bucket crawling = new Bucket(40, 500_000);
    private boolean found;

    void see(LogLine line) {
      if (RouteClass.of(line.path()) == RouteClass.STATIC) {
        return;
      }
      boolean probed =
          PROBED.contains(line.status()) && probing.pour(line.path(), line.timeMicros());
      boolean crawled = crawling.pour(line.path(), line.timeMicros());
      found = found || probed || crawled;
    }
  }

  /** Holds what is distinct while it is not empty. */
  private static final class Bucket {
    private final int capacity;
    private final long leakMicros;
    private final Set<String> distinct = new HashSet<>();
    private double level;
    private long lastMicros;

    Bucket(int capacity, long leakMicros) {
      this.capacity = capacity;
      this.leakMicros = leakMicros;
    }

    boolean pour(String what, long nowMicros) {
      double leaked = (double) Math.max(0, nowMicros - lastMicros) / leakMicros;
      level = Math.max(0, level - leaked);
      lastMicros = Math.max(lastMicros, nowMicros);
      if (level == 0) {
        distinct.clear();
      }
      if (!distinct.add(what)) {
        return false;
      }
      level++;
      return level > capacity;
    }
  }
}
