package dev.weir.server.decide;

import dev.weir.adaptive.AddressList;
import dev.weir.config.ConfigException;
import dev.weir.config.Fields;
import dev.weir.http.ClientAddress;
import dev.weir.server.policy.RequestAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The attributes of a request as fields of a body. */
public final class AttributesFields {

  /** The names of the fields. */
  public static final List<String> NAMES =
      List.of(
          "domain", "method", "path", "route", "address", "user", "apiKey", "headers", "claims");

  private static final Pattern METHOD = Pattern.compile("[A-Z][A-Z0-9_-]{0,31}");
  private static final int MOST_ENTRIES = 100;
  private static final String BEARER_KEY = "x-api-key";

  private AttributesFields() {}

  /**
   * Reads attributes, among other fields perhaps.
   *
   * @param others fields that may be there too
   * @param proxies whose {@code X-Forwarded-For} is believed
   * @throws ConfigException if a field cannot be used
   */
  public static RequestAttributes read(
      @Nullable Object body, List<String> others, AddressList proxies) {
    Fields fields = new Fields(body, "");
    List<String> known = new ArrayList<>(NAMES);
    known.addAll(others);
    fields.onlyKnown(known);
    String method = text(fields, "method", "GET").toUpperCase(Locale.ROOT);
    if (!METHOD.matcher(method).matches()) {
      throw new ConfigException("method", "must be a method like GET, and was '" + method + "'");
    }
    String path = text(fields, "path", "/");
    if (!path.startsWith("/")) {
      throw new ConfigException("path", "must start with /, and was " + Fields.shown(path));
    }
    int query = path.indexOf('?');
    Map<String, String> headers = texts(fields, "headers", true);
    return new RequestAttributes(
        text(fields, "domain", headers.getOrDefault("host", "")),
        method,
        query < 0 ? path : path.substring(0, query),
        fields.has("route") ? fields.text("route") : null,
        address(text(fields, "address", ""), headers, proxies),
        text(fields, "user", ""),
        text(fields, "apiKey", headers.getOrDefault(BEARER_KEY, "")),
        headers,
        texts(fields, "claims", false));
  }

  private static String address(String given, Map<String, String> headers, AddressList proxies) {
    if (given.isEmpty()) {
      return "";
    }
    String forwarded = headers.getOrDefault("x-forwarded-for", "");
    return ClientAddress.withIpv6Prefix(128)
        .client(
            given,
            forwarded.isEmpty() ? List.of() : List.of(forwarded),
            address -> proxies.find(address).isPresent())
        .orElseThrow(
            () ->
                new ConfigException(
                    "address", "must be an IPv4 or IPv6 address, and was " + Fields.shown(given)));
  }

  private static String text(Fields fields, String name, String absent) {
    return fields.has(name) ? fields.text(name) : absent;
  }

  /** A map of texts; a list of values is joined as a repeated header is. */
  private static Map<String, String> texts(Fields fields, String name, boolean lowerCase) {
    Map<String, String> texts = new LinkedHashMap<>();
    if (!fields.has(name)) {
      return texts;
    }
    if (!(fields.get(name) instanceof Map<?, ?> map) || map.size() > MOST_ENTRIES) {
      throw new ConfigException(name, "must be an object of at most " + MOST_ENTRIES + " texts");
    }
    map.forEach(
        (key, value) -> {
          String at = String.valueOf(key);
          texts.put(
              lowerCase ? at.toLowerCase(Locale.ROOT) : at,
              one(fields.path(name) + "." + at, value));
        });
    return texts;
  }

  private static String one(String path, @Nullable Object value) {
    if (value instanceof List<?> list) {
      return String.join(", ", list.stream().map(String::valueOf).toList());
    }
    if (value == null || value instanceof Map) {
      throw new ConfigException(path, "must be a text, and was " + Fields.shown(value));
    }
    return String.valueOf(value);
  }
}
