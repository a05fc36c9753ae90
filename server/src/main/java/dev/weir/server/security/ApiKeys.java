package dev.weir.server.security;

import java.util.List;
import java.util.Optional;

/** The keys of the service. Immutable. */
public final class ApiKeys {

  /** No keys. */
  public static final ApiKeys NONE = new ApiKeys(List.of());

  private final List<ApiKey> keys;

  /** Those keys. */
  public ApiKeys(List<ApiKey> keys) {
    this.keys = List.copyOf(keys);
  }

  /** Whether there are none. */
  public boolean isEmpty() {
    return keys.isEmpty();
  }

  /** Who presents this text; all keys are compared, whichever it is. */
  public Optional<ApiKey> find(String presented) {
    String hash = ApiKey.hashOf(presented);
    Optional<ApiKey> found = Optional.empty();
    for (ApiKey key : keys) {
      if (key.hasHash(hash)) {
        found = Optional.of(key);
      }
    }
    return found;
  }
}
