package dev.weir;

import java.util.Locale;

/** Why a store did not decide. */
public enum FailureCause {
  /** No answer within the time budget. The call may have been charged. */
  TIMEOUT(true),
  /** No connection, or it was lost on the way. A lost call may have been charged. */
  CONNECTION(true),
  /** The node is a replica now, which cannot be written to. */
  READONLY(true),
  /** The node is reading its data from disk. */
  LOADING(true),
  /** The node is busy with a script. */
  BUSY(true),
  /** The node has no memory left for a new state. */
  OUT_OF_MEMORY(true),
  /** The Cluster does not serve the key's slot. */
  CLUSTER_DOWN(true),
  /** A replica has lost its master. */
  MASTER_DOWN(true),
  /** The node takes no writes, since it cannot save or has too few replicas. */
  WRITES_DISABLED(true),
  /** The node asks for a password, or refuses the one it was given. */
  NO_AUTHENTICATION(false),
  /** The user of the connection may not run the script. */
  NO_PERMISSION(false),
  /** Keys of one call are in different slots of a Cluster. */
  CROSS_SLOT(false),
  /** The script failed, or a command in it. */
  SCRIPT_ERROR(false),
  /** The answer was not of the form that the script gives. */
  BAD_REPLY(false),
  /** Something else, which nobody expects to pass by itself. */
  OTHER(false);

  private final boolean transientFailure;
  private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

  FailureCause(boolean transientFailure) {
    this.transientFailure = transientFailure;
  }

  /**
   * Whether it is expected to pass by itself, so that the policy's {@link FailureMode} answers. The
   * others are mistakes: they are thrown, whatever the mode.
   */
  public boolean isTransient() {
    return transientFailure;
  }

  /** The word for it in logs and metrics: lower case, with hyphens. */
  public String word() {
    return word;
  }
}
