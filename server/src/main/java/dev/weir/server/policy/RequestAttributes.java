package dev.weir.server.policy;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a request that somebody else received. Immutable.
 *
 * @param domain which service or host it is for; empty if not told
 * @param method the HTTP method in upper case
 * @param path the path without its query, as it came
 * @param route the pattern that the application matched; {@code null} if not told
 * @param address the client's whole address in its one spelling; empty if not told
 * @param user who is signed in; empty if nobody is
 * @param apiKey the API key that came along; empty if none
 * @param headers the headers by their names in lower case
 * @param claims the claims of a token that the caller has verified
 */
public record RequestAttributes(
    String domain,
    String method,
    String path,
    @Nullable String route,
    String address,
    String user,
    String apiKey,
    Map<String, String> headers,
    Map<String, String> claims) {

  /** Copies the maps. */
  public RequestAttributes {
    Objects.requireNonNull(domain, "domain");
    Objects.requireNonNull(method, "method");
    Objects.requireNonNull(path, "path");
    headers = Map.copyOf(headers);
    claims = Map.copyOf(claims);
  }

  /** A header, or an empty text. */
  public String header(String lowerCaseName) {
    return headers.getOrDefault(lowerCaseName, "");
  }

  /** About how many characters it holds. */
  public int length() {
    int length = domain.length() + method.length() + path.length() + address.length();
    length += (route == null ? 0 : route.length()) + user.length() + apiKey.length();
    for (Map<String, String> map : java.util.List.of(headers, claims)) {
      for (Map.Entry<String, String> entry : map.entrySet()) {
        length += entry.getKey().length() + entry.getValue().length();
      }
    }
    return length;
  }
}
