package dev.weir.http;

import java.util.List;

/**
 * Who a request is from, and so whom it is charged to. Immutable.
 *
 * @param outcome whether the client is known, and otherwise what becomes of its request
 * @param text the key, which no other client has; empty unless {@linkplain #isCharged charged}
 */
public record ClientKey(Outcome outcome, String text) {

  /** Whether a client is known. */
  public enum Outcome {
    /** It is: one of the sources told. */
    KNOWN,
    /** It is not, and is charged to a bucket of those unknown from its address. */
    ANONYMOUS,
    /** It is not, and the request is refused. */
    REFUSED,
    /** It is not, and the request is not limited. */
    SKIPPED
  }

  static final ClientKey REFUSED = new ClientKey(Outcome.REFUSED, "");
  static final ClientKey SKIPPED = new ClientKey(Outcome.SKIPPED, "");

  /** Whether there is a key to charge. */
  public boolean isCharged() {
    return outcome == Outcome.KNOWN || outcome == Outcome.ANONYMOUS;
  }

  /** The key for one route of this client. */
  public String of(RouteKey route) {
    return joined(List.of(text, part("route", route.text())));
  }

  /**
   * A part of a key: what kind of thing it is, and which. No two parts of a different kind or value
   * are the same, nor are two lists of {@linkplain #joined joined} parts.
   */
  static String part(String kind, String value) {
    return kind + ':' + value.replace("%", "%25").replace("&", "%26");
  }

  static String joined(List<String> parts) {
    return String.join("&", parts);
  }
}
