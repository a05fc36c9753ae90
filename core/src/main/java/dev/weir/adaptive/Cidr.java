package dev.weir.adaptive;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/** A range of addresses: those whose first bits are the same. Immutable. */
public final class Cidr {

  private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
  private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

  private final byte[] prefix;
  private final int bits;

  private Cidr(byte[] prefix, int bits) {
    this.prefix = prefix;
    this.bits = bits;
  }

  /**
   * Reads a range such as {@code 10.0.0.0/8} or {@code 2001:db8::/32}, or one address.
   *
   * @throws IllegalArgumentException if it is none, or has bits after the prefix
   */
  public static Cidr parse(String text) {
    int slash = text.indexOf('/');
    byte[] address =
        address(slash < 0 ? text : text.substring(0, slash)).orElseThrow(() -> malformed(text));
    int all = address.length * Byte.SIZE;
    int bits = all;
    if (slash >= 0) {
      String length = text.substring(slash + 1);
      if (!length.matches("\\d{1,3}") || Integer.parseInt(length) > all) {
        throw malformed(text);
      }
      bits = Integer.parseInt(length);
    }
    if (!Arrays.equals(masked(address, bits), address)) {
      throw new IllegalArgumentException(
          "'%s' has bits after its prefix of %d; set them to 0".formatted(text, bits));
    }
    return new Cidr(address, bits);
  }

  private static IllegalArgumentException malformed(String text) {
    return new IllegalArgumentException(
        "'" + text + "' is no range of addresses; write one like 10.0.0.0/8 or 2001:db8::/32");
  }

  /** The bytes of an address written in figures; nothing if it is none. Asks no name server. */
  static Optional<byte[]> address(String text) {
    if (!IPV4.matcher(text).matches() && !IPV6.matcher(text).matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(InetAddress.getByName(text).getAddress());
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }

  static byte[] masked(byte[] address, int bits) {
    byte[] masked = new byte[address.length];
    for (int i = 0; i < address.length; i++) {
      int kept = Math.max(0, Math.min(Byte.SIZE, bits - i * Byte.SIZE));
      masked[i] = (byte) (address[i] & (0xff00 >> kept));
    }
    return masked;
  }

  byte[] prefix() {
    return prefix.clone();
  }

  /** How many bits are the same. */
  public int bits() {
    return bits;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Cidr cidr && cidr.bits == bits && Arrays.equals(cidr.prefix, prefix);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(prefix) * 31 + bits;
  }

  @Override
  public String toString() {
    try {
      return InetAddress.getByAddress(prefix).getHostAddress() + "/" + bits;
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address has 4 or 16 bytes", e);
    }
  }
}
