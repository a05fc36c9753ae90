package dev.weir;

/**
 * What a decision is when the store cannot make it in time. An immutable value.
 *
 * @param kind which of the three
 * @param share for {@link Kind#LOCAL} the part of each limit that this process may admit by itself,
 *     more than 0 and at most 1; 1 for the others
 */
public record FailureMode(Kind kind, double share) {

  /** The three answers to a store that does not answer. */
  public enum Kind {
    /** Every call is allowed. */
    OPEN,
    /** Every call is refused. */
    CLOSED,
    /** A limiter in this process decides, with a share of each limit. */
    LOCAL
  }

  private static final FailureMode OPEN_MODE = new FailureMode(Kind.OPEN, 1);
  private static final FailureMode CLOSED_MODE = new FailureMode(Kind.CLOSED, 1);
  private static final FailureMode LOCAL_MODE = new FailureMode(Kind.LOCAL, 1);

  /** Checks the share. */
  public FailureMode {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException(
          "share must be more than 0 and at most 1, and was "
              + share
              + "; with n processes 1/n keeps their sum at the limit");
    }
  }

  /** Allows every call: for what may be exceeded sooner than refused. */
  public static FailureMode open() {
    return OPEN_MODE;
  }

  /** Refuses every call: for what may be refused sooner than exceeded, such as logins. */
  public static FailureMode closed() {
    return CLOSED_MODE;
  }

  /** Decides in this process with the whole limit: n processes may admit n times the limit. */
  public static FailureMode local() {
    return LOCAL_MODE;
  }

  /**
   * Decides in this process with a share of each limit, at least one permit.
   *
   * @throws IllegalArgumentException if the share is not more than 0 and at most 1
   */
  public static FailureMode local(double share) {
    return new FailureMode(Kind.LOCAL, share);
  }
}
