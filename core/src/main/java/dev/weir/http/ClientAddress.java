package dev.weir.http;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address that a client is known by: one spelling for each, whatever form it came in, and of
 * IPv6 the network rather than the address, of which a client has as many as it likes.
 *
 * <ul>
 *   <li>brackets, ports and zone ids are left out;
 *   <li>IPv4 written as IPv6, mapped ({@code ::ffff:1.2.3.4}) or translated ({@code
 *       64:ff9b::1.2.3.4}, RFC 6052), is that IPv4 address;
 *   <li>any other IPv6 address is its prefix, 64 bits unless told otherwise.
 * </ul>
 *
 * <p>Pure: no name is ever looked up. What is no address gives nothing and throws nothing.
 */
public final class ClientAddress {

  /** How much of an IPv6 address counts unless told otherwise: 64 bits, what one site has. */
  public static final int DEFAULT_IPV6_PREFIX = 64;

  /** How many addresses of a header are looked at, from the right. */
  private static final int MOST_HOPS = 100;

  private static final Pattern FORM =
      Pattern.compile("\\[([^]]*)](?::\\d{1,5})?|(\\d{1,3}(?:\\.\\d{1,3}){3}):\\d{1,5}|(.*)");
  private static final Pattern IPV4 =
      Pattern.compile("(?:0|[1-9]\\d{0,2})(?:\\.(?:0|[1-9]\\d{0,2})){3}");
  private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
  private static final int LONGEST_TEXT = 128;
  private static final byte[] TRANSLATED = {0, 0x64, (byte) 0xff, (byte) 0x9b};
  private static final int IPV4_AT = 12;

  private final int ipv6Prefix;

  private ClientAddress(int ipv6Prefix) {
    this.ipv6Prefix = ipv6Prefix;
  }

  /** Names clients by their IPv4 address or the first 64 bits of their IPv6 address. */
  public static ClientAddress standard() {
    return new ClientAddress(DEFAULT_IPV6_PREFIX);
  }

  /**
   * Names clients by so many bits of their IPv6 address.
   *
   * @throws IllegalArgumentException if not from 16 to 128
   */
  public static ClientAddress withIpv6Prefix(int bits) {
    if (bits < 16 || bits > 128) {
      throw new IllegalArgumentException(
          "an IPv6 prefix must be from 16 to 128 bits, and was " + bits);
    }
    return new ClientAddress(bits);
  }

  /** The one spelling of an address, or of its network; nothing if the text is none. */
  public Optional<String> name(String text) {
    return bytes(text).map(this::name);
  }

  private String name(byte[] address) {
    try {
      if (address.length == 4) {
        return InetAddress.getByAddress(address).getHostAddress();
      }
      byte[] masked = address.clone();
      for (int bit = ipv6Prefix; bit < 128; bit++) {
        masked[bit / Byte.SIZE] &= (byte) ~(0x80 >> bit % Byte.SIZE);
      }
      String network = InetAddress.getByAddress(masked).getHostAddress();
      return ipv6Prefix == 128 ? network : network + "/" + ipv6Prefix;
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address has 4 or 16 bytes", e);
    }
  }

  /**
   * The client of a request: the nearest address, from the right, that is no proxy of ours.
   *
   * @param peer the address of the connection
   * @param forwardedFor the values of {@code X-Forwarded-For}, in the order of the header lines;
   *     believed only if the peer is trusted
   * @param isTrusted whether an address, in the spelling of {@link #plain}, is a proxy of ours
   * @return its name; that of the peer if a header has something in it that is no address
   */
  public Optional<String> client(
      String peer, List<String> forwardedFor, Predicate<String> isTrusted) {
    String current = peer;
    List<String> hops = hops(forwardedFor);
    for (int i = hops.size() - 1; i >= Math.max(0, hops.size() - MOST_HOPS); i--) {
      Optional<String> plain = plain(current);
      if (plain.isEmpty() || !isTrusted.test(plain.get())) {
        break;
      }
      if (plain(hops.get(i)).isEmpty()) {
        return name(peer);
      }
      current = hops.get(i);
    }
    return name(current);
  }

  private static List<String> hops(List<String> lines) {
    List<String> hops = new ArrayList<>();
    for (String line : lines) {
      hops.addAll(Arrays.asList(line.split(",", -1)));
    }
    return hops;
  }

  /** The whole address in one spelling, without a prefix; nothing if the text is none. */
  public static Optional<String> plain(String text) {
    return bytes(text).map(new ClientAddress(128)::name);
  }

  private static Optional<byte[]> bytes(String text) {
    if (text.length() > LONGEST_TEXT) {
      return Optional.empty();
    }
    Matcher form = FORM.matcher(text.strip());
    if (!form.matches()) {
      return Optional.empty();
    }
    String bare = form.group(1) != null ? form.group(1) : form.group(2);
    bare = bare == null ? form.group(3) : bare;
    int zone = bare.indexOf('%');
    bare = zone < 0 ? bare : bare.substring(0, zone);
    if (!IPV4.matcher(bare).matches() && !IPV6.matcher(bare).matches()) {
      return Optional.empty();
    }
    try {
      InetAddress address = InetAddress.getByName(bare);
      byte[] bytes = address.getAddress();
      return Optional.of(
          address instanceof Inet4Address || !isTranslated(bytes)
              ? bytes
              : Arrays.copyOfRange(bytes, IPV4_AT, bytes.length));
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }

  private static boolean isTranslated(byte[] address) {
    return Arrays.equals(address, 0, 4, TRANSLATED, 0, 4)
        && Arrays.equals(address, 4, IPV4_AT, new byte[8], 0, 8);
  }
}
