package dev.weir.server.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A key as it is kept: its hash, never the key. Keys are 256 random bits, so that one round of
 * SHA-256 is enough: there is no list of likely keys to try.
 *
 * @param name who holds it; the author of what is changed with it
 * @param role what the holder may do
 * @param hash {@code sha256:} and 64 hexadecimal digits in lower case
 */
public record ApiKey(String name, Role role, String hash) {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,63}");
  private static final Pattern HASH = Pattern.compile("sha256:[0-9a-f]{64}");
  private static final String PREFIX = "weir_";
  private static final int RANDOM_BYTES = 32;

  /**
   * Checks the texts.
   *
   * @throws IllegalArgumentException if the name or the hash is none
   */
  public ApiKey {
    checkName(name);
    hash = hash.toLowerCase(Locale.ROOT);
    if (!HASH.matcher(hash).matches()) {
      throw new IllegalArgumentException(
          "hash must be sha256: and 64 hexadecimal digits; ./weir key NAME makes a key and prints"
              + " both");
    }
  }

  /**
   * Refuses what is no name.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static void checkName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "name must be 1 to 64 letters, digits, '.', '_', '@' or '-', and was '" + name + "'");
    }
  }

  /** A new key; it can be told from its text that it is one. */
  public static String random() {
    byte[] bytes = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(bytes);
    return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** The hash of a key, as files have it. */
  public static String hashOf(String key) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
      return "sha256:" + HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Whether a hash is this key's; takes as long whether it is or not. */
  boolean hasHash(String other) {
    return MessageDigest.isEqual(
        hash.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
  }
}
