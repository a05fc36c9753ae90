package dev.weir.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Tells who a request is from: the first of some sources that can. Immutable and safe for use by
 * several threads.
 *
 * <pre>{@code
 * ClientIdentity.builder()
 *     .trustedProxies(TrustedProxies.of("10.0.0.0/8"))
 *     .source(IdentitySource.principal())
 *     .source(IdentitySource.address())
 *     .build();
 * }</pre>
 *
 * <p>Clients that cannot be told never share one bucket: what becomes of them is {@link Missing}.
 */
public final class ClientIdentity {

  /** What becomes of a request if no source can tell who it is from. */
  public enum Missing {
    /** It is refused. */
    REFUSE,
    /** It is charged to those unknown from its address; refused if there is no address either. */
    ANONYMOUS_BY_ADDRESS,
    /** It is not limited. */
    SKIP
  }

  private static final ClientAddress WHOLE = ClientAddress.withIpv6Prefix(128);

  private final List<IdentitySource> sources;
  private final Missing missing;
  private final TrustedProxies proxies;
  private final ClientAddress address;

  private ClientIdentity(Builder builder) {
    this.sources = List.copyOf(builder.sources);
    this.missing = builder.missing;
    this.proxies = builder.proxies;
    this.address = builder.address;
  }

  /** By the address of the connection alone. */
  public static ClientIdentity byAddress() {
    return builder().source(IdentitySource.address()).build();
  }

  /** Starts one without sources. */
  public static Builder builder() {
    return new Builder();
  }

  /** The proxies in front of the application. */
  public TrustedProxies trustedProxies() {
    return proxies;
  }

  /** Who a request is from. */
  public ClientKey of(HttpRequestView request) {
    for (IdentitySource source : sources) {
      Optional<String> found = source.identify(request, proxies, address);
      if (found.isPresent()) {
        return new ClientKey(ClientKey.Outcome.KNOWN, found.get());
      }
    }
    return switch (missing) {
      case REFUSE -> ClientKey.REFUSED;
      case SKIP -> ClientKey.SKIPPED;
      case ANONYMOUS_BY_ADDRESS -> anonymous(request);
    };
  }

  /** The whole address of a request's client; nothing if the connection has none. */
  public Optional<String> address(HttpRequestView request) {
    return proxies.client(request, WHOLE);
  }

  private ClientKey anonymous(HttpRequestView request) {
    return IdentitySource.address()
        .identify(request, proxies, address)
        .map(it -> new ClientKey(ClientKey.Outcome.ANONYMOUS, "anonymous&" + it))
        .orElse(ClientKey.REFUSED);
  }

  /** Collects an identity. Not safe for use by several threads. */
  public static final class Builder {

    private final List<IdentitySource> sources = new ArrayList<>();
    private Missing missing = Missing.REFUSE;
    private TrustedProxies proxies = TrustedProxies.none();
    private ClientAddress address = ClientAddress.standard();

    private Builder() {}

    /** Adds a source, to be asked if those before it cannot tell. */
    public Builder source(IdentitySource source) {
      sources.add(Objects.requireNonNull(source, "source"));
      return this;
    }

    /** What becomes of a request if no source can tell; {@link Missing#REFUSE} by default. */
    public Builder whenMissing(Missing missing) {
      this.missing = Objects.requireNonNull(missing, "missing");
      return this;
    }

    /** The proxies in front of the application; none by default. */
    public Builder trustedProxies(TrustedProxies proxies) {
      this.proxies = Objects.requireNonNull(proxies, "proxies");
      return this;
    }

    /** How addresses are named; {@link ClientAddress#standard()} by default. */
    public Builder address(ClientAddress address) {
      this.address = Objects.requireNonNull(address, "address");
      return this;
    }

    /**
     * Makes the identity.
     *
     * @throws IllegalArgumentException if there is no source
     */
    public ClientIdentity build() {
      if (sources.isEmpty()) {
        throw new IllegalArgumentException(
            "an identity needs a source, such as IdentitySource.address()");
      }
      return new ClientIdentity(this);
    }
  }
}
