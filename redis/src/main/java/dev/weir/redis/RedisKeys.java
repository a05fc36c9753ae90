package dev.weir.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The one place that makes Redis keys: {@code prefix:{policy:key}}.
 *
 * <p>Injective: the prefix has no brace, the policy's name no colon, and the key is escaped. What
 * stands between the braces decides the Cluster slot; it has no brace of the user's and is never
 * empty. A key that would be long, or that is to be kept secret, is its SHA-256 instead, marked by
 * a '#' that no escaped key starts with.
 */
final class RedisKeys {

  /** The longest escaped key that is kept as it is: 128 bytes. */
  static final int LONGEST_PLAIN = 128;

  private static final String RESERVATIONS = ":reservations";
  private static final String LOWERED = ":adaptive";
  private static final String BEHAVIOUR = ":behaviour";

  private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._:/-]{1,64}");

  private final String prefix;
  private final String policy;
  private final boolean hashed;
  private final @Nullable UnaryOperator<String> slotTag;

  RedisKeys(String prefix, String policy, boolean hashed) {
    this(prefix, policy, hashed, null);
  }

  /**
   * Names for the keys of a policy.
   *
   * @param slotTag gives the tag of a key, if the application names what shares a slot: the name is
   *     then {@code prefix:{@tag}:policy:key#}
   */
  RedisKeys(String prefix, String policy, boolean hashed, @Nullable UnaryOperator<String> slotTag) {
    checkPrefix(prefix);
    this.prefix = prefix;
    this.policy = policy;
    this.hashed = hashed;
    this.slotTag = slotTag;
  }

  static void checkPrefix(String prefix) {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          "keyPrefix must be 1 to 64 letters, digits or any of . _ : / -, and was '"
              + prefix
              + "'");
    }
  }

  /** The Redis key for a key of the limiter. */
  byte[] of(String key) {
    String name =
        slotTag == null
            ? prefix + ":{" + policy + ":" + text(key, hashed) + "}"
            : prefix + ":{@" + tag(key) + "}:" + policy + ":" + text(key, hashed) + "#";
    return name.getBytes(StandardCharsets.US_ASCII);
  }

  /** What decides the slot of a key: keys with the same text here share one. */
  String slot(String key) {
    return slotTag == null ? policy + ":" + text(key, hashed) : "@" + tag(key);
  }

  private String tag(String key) {
    return text(Objects.requireNonNull(slotTag).apply(key), hashed);
  }

  private static String text(String key, boolean hashed) {
    String escaped = hashed ? digest(key) : escape(key);
    return escaped.length() > LONGEST_PLAIN ? digest(key) : escaped;
  }

  /** The Redis key for the reservations of a key: in its slot, and the name of no other key. */
  byte[] reservations(byte[] redisKey) {
    return beside(redisKey, RESERVATIONS);
  }

  /** The Redis key for the limits that a tier lowers, in the key's slot. */
  byte[] lowered(byte[] redisKey) {
    return beside(redisKey, LOWERED);
  }

  /** The Redis key for the behaviour of a subject, in the key's slot. */
  byte[] behaviour(byte[] redisKey) {
    return beside(redisKey, BEHAVIOUR);
  }

  /**
   * The keys of what people decided, for all policies of the prefix: no key of a policy, which has
   * a colon between its braces.
   */
  List<byte[]> overrides() {
    byte[] rulings = (prefix + ":{overrides}").getBytes(StandardCharsets.US_ASCII);
    return List.of(rulings, beside(rulings, ":changes"));
  }

  private static byte[] beside(byte[] redisKey, String ending) {
    byte[] end = ending.getBytes(StandardCharsets.US_ASCII);
    byte[] name = Arrays.copyOf(redisKey, redisKey.length + end.length);
    System.arraycopy(end, 0, name, redisKey.length, end.length);
    return name;
  }

  /** Printable ASCII stays; anything else, and what has a meaning here, is %XXXX of its UTF-16. */
  private static String escape(String key) {
    StringBuilder escaped = new StringBuilder(key.length());
    for (int i = 0; i < key.length() && escaped.length() <= LONGEST_PLAIN; i++) {
      char c = key.charAt(i);
      if (c > ' ' && c < 0x7f && c != '{' && c != '}' && c != '%' && c != '#') {
        escaped.append(c);
      } else {
        escaped.append('%');
        for (int shift = 12; shift >= 0; shift -= 4) {
          escaped.append(Character.forDigit((c >> shift) & 0xf, 16));
        }
      }
    }
    return escaped.toString();
  }

  private static String digest(String key) {
    // UTF-16, since UTF-8 has no form for unpaired surrogates: two keys would become one.
    byte[] hash = sha256().digest(key.getBytes(StandardCharsets.UTF_16BE));
    return "#" + Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
