package dev.weir.server.config;

import dev.weir.adaptive.Cidr;
import dev.weir.server.policy.PolicyDefinition;
import dev.weir.server.security.ApiKey;
import java.util.List;

/**
 * What a file says. Immutable.
 *
 * @param policies in the order in which they are tried
 * @param trustedProxies whose {@code X-Forwarded-For} is believed
 * @param apiKeys the keys of the service
 */
public record ServiceConfig(
    List<PolicyDefinition> policies, List<Cidr> trustedProxies, List<ApiKey> apiKeys) {

  /** A file that says nothing. */
  public static final ServiceConfig EMPTY = new ServiceConfig(List.of(), List.of(), List.of());

  /** Copies the lists. */
  public ServiceConfig {
    policies = List.copyOf(policies);
    trustedProxies = List.copyOf(trustedProxies);
    apiKeys = List.copyOf(apiKeys);
  }
}
