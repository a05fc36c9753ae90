package dev.weir.testkit;

/** An error that Redis answered with; the message is Redis' own. */
public final class RedisReplyException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  RedisReplyException(String message) {
    super(message);
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
