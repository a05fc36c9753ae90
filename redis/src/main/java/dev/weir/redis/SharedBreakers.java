package dev.weir.redis;

import dev.weir.FailureCause;
import dev.weir.RateLimiterListener;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The breakers of all limiters with one connection and one time budget, a breaker for each shard.
 * They live as long as such a limiter does; nothing static holds them, or a limiter that nobody
 * closed. Each listener is told once of a change, however many limiters have it. Safe for use by
 * several threads.
 */
final class SharedBreakers {

  private static final System.Logger LOG = System.getLogger(Breaker.class.getName());

  /** Those in use: as many as there are connections, and looked through to make a limiter. */
  private static final List<WeakReference<SharedBreakers>> IN_USE = new ArrayList<>();

  private final Object connection;
  private final Duration timeout;
  private final Map<String, Breaker> breakers = new ConcurrentHashMap<>();
  private final Set<Breakers> members = Collections.newSetFromMap(new WeakHashMap<>());
  private final Map<String, Outage> outages = new HashMap<>();

  private SharedBreakers(Object connection, Duration timeout) {
    this.connection = connection;
    this.timeout = timeout;
  }

  /** Those of a limiter's connection and budget; its listener is told what is given up already. */
  static SharedBreakers join(Object connection, Duration timeout, Breakers member) {
    SharedBreakers shared;
    synchronized (IN_USE) {
      shared = find(connection, timeout);
      if (shared == null) {
        shared = new SharedBreakers(connection, timeout);
        IN_USE.add(new WeakReference<>(shared));
      }
      shared.add(member);
    }
    shared.tellOutages(member.listener());
    return shared;
  }

  private static @Nullable SharedBreakers find(Object connection, Duration timeout) {
    SharedBreakers found = null;
    for (WeakReference<SharedBreakers> reference : List.copyOf(IN_USE)) {
      SharedBreakers shared = reference.get();
      if (shared == null) {
        IN_USE.remove(reference);
      } else if (shared.connection == connection && shared.timeout.equals(timeout)) {
        found = shared;
      }
    }
    return found;
  }

  /** A limiter is closed; the last one ends the probes. */
  void leave(Breakers member) {
    synchronized (IN_USE) {
      if (remove(member)) {
        IN_USE.removeIf(reference -> reference.get() == this);
        breakers.values().forEach(Breaker::close);
      }
    }
    tellNoMore(member.listener());
  }

  private synchronized void add(Breakers member) {
    members.add(member);
  }

  /** Whether it was the last one. */
  private synchronized boolean remove(Breakers member) {
    members.remove(member);
    return members.isEmpty();
  }

  /** The breaker of a shard. */
  Breaker of(String shard) {
    Breaker known = breakers.get(shard);
    return known != null ? known : breakers.computeIfAbsent(shard, name -> new Breaker(name, this));
  }

  /** How often to probe: as often as the most impatient limiter wants. */
  synchronized Duration interval() {
    return members.stream()
        .map(Breakers::interval)
        .min(Comparator.naturalOrder())
        .orElse(RedisRateLimiter.DEFAULT_PROBE_INTERVAL);
  }

  /** Any limiter that is not closed. */
  synchronized @Nullable Breakers anyMember() {
    return members.stream().findAny().orElse(null);
  }

  /** A shard is given up: tells every listener. */
  synchronized void opened(String shard, FailureCause cause) {
    Outage outage = new Outage(cause, Collections.newSetFromMap(new IdentityHashMap<>()));
    outages.put(shard, outage);
    members.forEach(member -> tellOpen(member.listener(), shard, outage));
  }

  /** A shard is used again: tells those who were told that it was given up. */
  synchronized void closed(String shard) {
    Outage outage = outages.remove(shard);
    if (outage != null) {
      outage.told().forEach(listener -> tell(listener, shard, false, outage.cause()));
    }
  }

  private synchronized void tellOutages(RateLimiterListener listener) {
    outages.forEach((shard, outage) -> tellOpen(listener, shard, outage));
  }

  /** What a listener was told must not stay open for ever when its last limiter is closed. */
  private synchronized void tellNoMore(RateLimiterListener listener) {
    if (members.stream().noneMatch(member -> member.listener() == listener)) {
      outages.forEach(
          (shard, outage) -> {
            if (outage.told().remove(listener)) {
              tell(listener, shard, false, outage.cause());
            }
          });
    }
  }

  private static void tellOpen(RateLimiterListener listener, String shard, Outage outage) {
    if (outage.told().add(listener)) {
      tell(listener, shard, true, outage.cause());
    }
  }

  private static void tell(
      RateLimiterListener listener, String shard, boolean open, FailureCause cause) {
    try {
      listener.breakerChanged(shard, open, cause);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "a listener failed", e);
    }
  }

  /** A shard that is given up, and who was told; compared by identity. */
  private record Outage(FailureCause cause, Set<RateLimiterListener> told) {}
}
