package dev.weir.server.policy;

import dev.weir.http.ClientAddress;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * One thing that is known of a request, by which requests are told apart.
 *
 * @param kind what it is
 * @param name the name of the header, in lower case, or of the claim; empty for the others
 */
public record KeyPart(Kind kind, String name) {

  /** What can be known. */
  public enum Kind {
    USER,
    ADDRESS,
    USER_OR_ADDRESS,
    API_KEY,
    HEADER,
    CLAIM,
    EVERYONE;

    String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.:/-]{1,128}");
  private static final String CHOICES =
      "user, address, user-or-address, api-key, header:NAME, claim:NAME or everyone";

  /**
   * Reads a part.
   *
   * @throws IllegalArgumentException if it is none; the message lists those there are
   */
  public static KeyPart parse(String text) {
    int colon = text.indexOf(':');
    String word = colon < 0 ? text : text.substring(0, colon);
    String name = colon < 0 ? "" : text.substring(colon + 1);
    for (Kind kind : Kind.values()) {
      if (kind.word().equals(word)) {
        boolean isNamed = kind == Kind.HEADER || kind == Kind.CLAIM;
        if (isNamed != NAME.matcher(name).matches() || (!isNamed && colon >= 0)) {
          break;
        }
        return new KeyPart(kind, kind == Kind.HEADER ? name.toLowerCase(Locale.ROOT) : name);
      }
    }
    String shown = text.length() > 60 ? text.substring(0, 60) + "..." : text;
    throw new IllegalArgumentException("must be " + CHOICES + ", and was '" + shown + "'");
  }

  /** The value of a request, or an empty text if it has none. */
  String valueOf(RequestAttributes request) {
    return switch (kind) {
      case USER -> request.user();
      case ADDRESS -> network(request);
      case USER_OR_ADDRESS -> request.user().isEmpty() ? network(request) : request.user();
      case API_KEY -> request.apiKey();
      case HEADER -> request.header(name);
      case CLAIM -> request.claims().getOrDefault(name, "");
      case EVERYONE -> "";
    };
  }

  /** Of IPv6 the network, of which a client has as many addresses as it likes. */
  private static String network(RequestAttributes request) {
    return ClientAddress.standard().name(request.address()).orElse("");
  }

  /** What keys of this part start with, so that a user is never taken for an address. */
  String label(RequestAttributes request) {
    return switch (kind) {
      case USER_OR_ADDRESS -> request.user().isEmpty() ? "address" : "user";
      case HEADER, CLAIM -> kind.word() + "." + name;
      case USER, ADDRESS, API_KEY, EVERYONE -> kind.word();
    };
  }

  @Override
  public String toString() {
    return name.isEmpty() ? kind.word() : kind.word() + ":" + name;
  }
}
