package dev.weir.server.policy;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Whom a policy counts a request for: parts of the request, joined. Two requests have the same key
 * only if all their parts are the same. A request without a part shares a key with all others that
 * lack it, so that nobody gets around a limit by leaving something out. Immutable.
 *
 * @param parts what the key is made of, 1 to 4
 */
public record KeyRule(List<KeyPart> parts) {

  /** The user that is signed in, or the address. */
  public static final KeyRule STANDARD =
      new KeyRule(List.of(new KeyPart(KeyPart.Kind.USER_OR_ADDRESS, "")));

  /** The most parts: 4. */
  public static final int MOST_PARTS = 4;

  private static final int SECRET_BYTES = 16;

  /** Copies the parts. */
  public KeyRule {
    parts = List.copyOf(parts);
  }

  /** The key of a request, such as {@code user:alice} or {@code user:alice|header.x-tenant:a}. */
  public String keyOf(RequestAttributes request) {
    return parts.stream().map(part -> text(part, request)).collect(Collectors.joining("|"));
  }

  private static String text(KeyPart part, RequestAttributes request) {
    String value = part.valueOf(request);
    if (part.kind() == KeyPart.Kind.API_KEY && !value.isEmpty()) {
      value = "#" + secret(value);
    }
    return part.label(request) + ":" + value.replace("\\", "\\\\").replace("|", "\\|");
  }

  /** A secret is never part of a key: half of its SHA-256 is. */
  private static String secret(String value) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(value.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, SECRET_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
