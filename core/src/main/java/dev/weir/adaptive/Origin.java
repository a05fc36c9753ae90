package dev.weir.adaptive;

import org.jspecify.annotations.Nullable;

/**
 * What precedence asks of a call besides its subject.
 *
 * @param address where it comes from, as {@code ClientAddress} spells it; {@code null} if unknown
 * @param agent what the client calls itself, for the check of bots; {@code null} if it does not
 * @param routeMode what the route says; {@code null} to leave it to the policy
 */
public record Origin(
    @Nullable String address, @Nullable String agent, AdaptivePolicy.@Nullable Mode routeMode) {

  /** Nothing is known. */
  public static final Origin UNKNOWN = new Origin(null, null, null);

  /** A call from an address. */
  public static Origin of(String address) {
    return new Origin(address, null, null);
  }
}
