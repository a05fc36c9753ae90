package dev.weir.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One way to tell who a request is from. Pure; safe for use by several threads.
 *
 * <p>None of them believes what any client can write. Blank text is no identity; text of more than
 * 256 characters is its hash.
 */
@FunctionalInterface
public interface IdentitySource {

  /**
   * The client.
   *
   * @param proxies the proxies in front of the application
   * @param address how addresses are named
   * @return a text that no other source gives: a kind, a colon and who it is; nothing if this
   *     source cannot tell
   */
  Optional<String> identify(HttpRequestView request, TrustedProxies proxies, ClientAddress address);

  /** Who is signed in. */
  static IdentitySource principal() {
    return (request, proxies, address) -> part("user", request.principal());
  }

  /** A claim of a verified token, such as {@code sub} or {@code tenant} of a JWT. */
  static IdentitySource claim(String name) {
    String kind = "claim." + Objects.requireNonNull(name, "name");
    return (request, proxies, address) -> part(kind, request.claim(name));
  }

  /**
   * An API key, of which only a hash is kept.
   *
   * @param header where it is sent, as it is; of {@code Authorization} with its scheme
   * @param isValid whether it is a key that was given out: to invent one must not be a way to a
   *     bucket of one's own
   */
  static IdentitySource apiKey(String header, Predicate<String> isValid) {
    Objects.requireNonNull(header, "header");
    Objects.requireNonNull(isValid, "isValid");
    return (request, proxies, address) -> {
      String key = request.header(header);
      return key == null || key.isBlank() || !isValid.test(key)
          ? Optional.empty()
          : Optional.of(ClientKey.part("key", hash(key)));
    };
  }

  /**
   * A header that a proxy of ours sets, such as one with the user that it has signed in. It is
   * believed only if the other end of the connection is a {@linkplain TrustedProxies trusted
   * proxy}, which has to remove it from what clients send; the last line counts.
   */
  static IdentitySource proxyHeader(String name) {
    String kind = "header." + name.toLowerCase(Locale.ROOT);
    return (request, proxies, address) -> {
      List<String> values = proxies.sent(request) ? request.headers(name) : List.of();
      return part(kind, values.isEmpty() ? null : values.get(values.size() - 1));
    };
  }

  /** The address, as {@link ClientAddress} names it. */
  static IdentitySource address() {
    return (request, proxies, address) ->
        proxies.client(request, address).map(it -> ClientKey.part("address", it));
  }

  /** Several together, such as a tenant and a user; nothing unless all of them can tell. */
  static IdentitySource all(IdentitySource... sources) {
    List<IdentitySource> all = List.copyOf(Arrays.asList(sources));
    return (request, proxies, address) -> {
      List<String> parts = new ArrayList<>();
      for (IdentitySource source : all) {
        Optional<String> part = source.identify(request, proxies, address);
        if (part.isEmpty()) {
          return Optional.empty();
        }
        parts.add(part.get());
      }
      return Optional.of(ClientKey.joined(parts));
    };
  }

  /**
   * A part of a key, for sources of one's own.
   *
   * @param kind what kind of thing tells, such as {@code tenant}
   * @param value who it is
   * @return nothing if there is no value, or a blank one
   */
  static Optional<String> part(String kind, @Nullable String value) {
    if (value == null || value.isBlank()) {
      return Optional.empty();
    }
    return Optional.of(
        value.length() > 256
            ? ClientKey.part(kind + "#", hash(value))
            : ClientKey.part(kind, value));
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
