package dev.weir.server.policy;

import dev.weir.RateLimiterException;
import java.util.List;
import java.util.Optional;

/**
 * Keeps the policies that are set through the interface, and how they were before. All calls may
 * wait for the store, and throw {@link RateLimiterException} if it does not answer. Safe for use by
 * several threads.
 */
public interface PolicyStore {

  /** How many versions are kept: 100. */
  int MOST_VERSIONS = 100;

  /** The number of the newest version, 0 if there is none. */
  long newest();

  /** A version, if it is kept. */
  Optional<PolicyVersion> version(long number);

  /** The versions that are kept, the newest first. */
  List<PolicyVersion> versions();

  /**
   * Adds a version.
   *
   * @param next the version; it is added only if the newest has the number before it
   * @return whether it was added; false if somebody else was faster
   */
  boolean add(PolicyVersion next);
}
