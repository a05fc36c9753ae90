package dev.weir.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Notices that nearly all requests come from one private address: then that is a proxy, and all
 * clients behind it are taken as one. It looks at the first 1,000 requests and is silent after that
 * but for the one warning. Safe for use by several threads.
 */
public final class SharedAddressDetector {

  /** How many requests are looked at. */
  public static final int LOOKED_AT = 1_000;

  /** How many of them have to be from one address. */
  public static final int NEARLY_ALL = 950;

  private final AtomicLong seen = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private String candidate = "";
  private int votes;
  private int counted;

  /** Makes one that has seen nothing. */
  public SharedAddressDetector() {}

  /**
   * Notes a request that is not from a trusted proxy.
   *
   * @param peer the other end of its connection
   * @return the warning, once, if it is due
   */
  public Optional<String> note(String peer) {
    if (seen.get() >= LOOKED_AT) {
      return Optional.empty();
    }
    lock.lock();
    try {
      long number = seen.incrementAndGet();
      vote(peer);
      return number == LOOKED_AT && counted >= NEARLY_ALL && isPrivate(candidate)
          ? Optional.of(warning())
          : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /** The majority vote of Boyer and Moore: whoever sends nearly all of them wins. */
  private void vote(String peer) {
    if (votes == 0) {
      candidate = peer;
      counted = 0;
    }
    boolean same = peer.equals(candidate);
    votes += same ? 1 : -1;
    counted += same ? 1 : 0;
  }

  private String warning() {
    return ("%d of the first %d requests came from %s, a private address that is no trusted proxy:"
            + " if it is a proxy or load balancer, all clients behind it share one limit; name it"
            + " as a trusted proxy, so that its header says who the client is")
        .formatted(counted, LOOKED_AT, candidate);
  }

  private static boolean isPrivate(String peer) {
    Optional<String> plain = ClientAddress.plain(peer);
    if (plain.isEmpty()) {
      return false;
    }
    try {
      InetAddress address = InetAddress.getByName(plain.get());
      // Unique local addresses, fc00::/7, are what IPv6 has for private ones.
      return address.isSiteLocalAddress()
          || address.isLoopbackAddress()
          || address.isLinkLocalAddress()
          || (address.getAddress().length == 16 && (address.getAddress()[0] & 0xfe) == 0xfc);
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
