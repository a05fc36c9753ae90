package dev.weir.http;

import dev.weir.adaptive.AddressList;
import dev.weir.adaptive.Cidr;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The proxies in front of an application, and the one header in which they say who is behind them.
 * Immutable.
 *
 * <p>Just one header is read. A proxy passes on unchanged whatever it does not know, so that a
 * client may write into the other one what it likes; {@code X-Real-IP} is never read.
 */
public final class TrustedProxies {

  /** Where proxies say who is behind them. */
  public enum Header {
    /** {@code X-Forwarded-For}: addresses, the nearest last. */
    X_FORWARDED_FOR("X-Forwarded-For"),
    /** {@code Forwarded} (RFC 7239): the {@code for} of each element, the nearest last. */
    FORWARDED("Forwarded");

    private final String fieldName;

    Header(String fieldName) {
      this.fieldName = fieldName;
    }

    /** The name of the header. */
    public String fieldName() {
      return fieldName;
    }
  }

  private static final TrustedProxies NONE = new TrustedProxies(List.of(), Header.X_FORWARDED_FOR);

  private final List<Cidr> ranges;
  private final AddressList addresses;
  private final Header header;

  private TrustedProxies(Collection<Cidr> ranges, Header header) {
    this.ranges = List.copyOf(ranges);
    this.addresses = AddressList.of(ranges);
    this.header = Objects.requireNonNull(header, "header");
  }

  /** No proxies: the client is the other end of the connection, whatever any header says. */
  public static TrustedProxies none() {
    return NONE;
  }

  /**
   * Proxies that write {@code X-Forwarded-For}.
   *
   * @param ranges addresses, or ranges such as {@code 10.0.0.0/8}
   * @throws IllegalArgumentException if one is none
   */
  public static TrustedProxies of(String... ranges) {
    return of(Header.X_FORWARDED_FOR, Arrays.asList(ranges));
  }

  /**
   * Proxies that write a header.
   *
   * @param ranges addresses, or ranges such as {@code 10.0.0.0/8}
   * @throws IllegalArgumentException if one is none
   */
  public static TrustedProxies of(Header header, List<String> ranges) {
    return new TrustedProxies(ranges.stream().map(Cidr::parse).toList(), header);
  }

  /** Whether there are none. */
  public boolean isEmpty() {
    return ranges.isEmpty();
  }

  /** The header that they write. */
  public Header header() {
    return header;
  }

  /** Whether an address in the spelling of {@link ClientAddress#plain} is one of them. */
  public boolean contains(String address) {
    return addresses.find(address).isPresent();
  }

  /** Whether the other end of a request's connection is one of them. */
  public boolean sent(HttpRequestView request) {
    String peer = request.peer();
    return peer != null && ClientAddress.plain(peer).filter(this::contains).isPresent();
  }

  /**
   * The address of a request's client: the nearest, from the right, that is no trusted proxy.
   *
   * @param naming how addresses are named
   * @return nothing if the connection has no address
   */
  public Optional<String> client(HttpRequestView request, ClientAddress naming) {
    String peer = request.peer();
    if (peer == null) {
      return Optional.empty();
    }
    List<String> lines = isEmpty() ? List.of() : request.headers(header.fieldName());
    return naming.client(
        peer, header == Header.FORWARDED ? Forwarded.clients(lines) : lines, this::contains);
  }

  @Override
  public String toString() {
    return ranges + " in " + header.fieldName();
  }
}
