package dev.weir.client;

import java.io.IOException;
import java.time.Duration;

/** A request was not sent, since its server wants to be left alone for longer than allowed. */
public final class HoldOffException extends IOException {

  private static final long serialVersionUID = 1L;

  private final Duration holdOff;

  HoldOffException(String origin, Duration holdOff, Duration maxWait) {
    super(
        "%s asks to be left alone for another %s, which is longer than the longest wait of %s"
            .formatted(origin, holdOff, maxWait));
    this.holdOff = holdOff;
  }

  /** For how long the server still wants to be left alone. */
  public Duration holdOff() {
    return holdOff;
  }
}
