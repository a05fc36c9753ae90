package dev.weir.server.policy;

import java.util.Objects;

/**
 * The policies that were set through the interface at one time.
 *
 * @param number 1 and up; 0 before anybody set one
 * @param author who set them
 * @param note why, or what changed
 * @param atMillis when, since the epoch
 * @param policies the policies in their order, as JSON
 */
public record PolicyVersion(
    long number, String author, String note, long atMillis, String policies) {

  /** Before anybody set a policy. */
  public static final PolicyVersion NONE = new PolicyVersion(0, "", "", 0, "[]");

  /** Checks for null. */
  public PolicyVersion {
    Objects.requireNonNull(author, "author");
    Objects.requireNonNull(note, "note");
    Objects.requireNonNull(policies, "policies");
  }
}
