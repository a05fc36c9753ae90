package dev.weir.server.security;

import java.util.List;
import java.util.Optional;

/** The keys of the service. Immutable. */
public final class ApiKeys {

  /** No keys, and none needed. */
  public static final ApiKeys NONE = new ApiKeys(List.of(), false);

  private final List<ApiKey> keys;
  private final boolean isNeeded;

  /**
   * Those keys.
   *
   * @param isNeeded whether a key is needed even if there are none, which then lets nobody in
   */
  public ApiKeys(List<ApiKey> keys, boolean isNeeded) {
    this.keys = List.copyOf(keys);
    this.isNeeded = isNeeded || !keys.isEmpty();
  }

  /** Whether no key is needed. */
  public boolean isOpen() {
    return !isNeeded;
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
