package dev.weir.adaptive;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which rule judges a call, the first that matches: a manual override of the subject; a denied
 * range; an allowed range; a verified bot; the mode of the route; the subject's own tier.
 * Immutable: a change makes another one, which is swapped whole.
 */
public final class Precedence {

  /** Loopback, which is never judged by its behaviour. */
  public static final List<Cidr> LOOPBACK =
      List.of(Cidr.parse("127.0.0.0/8"), Cidr.parse("::1/128"));

  private final Map<String, ManualOverride> overrides;
  private final AddressList denied;
  private final AddressList allowed;

  private Precedence(
      Map<String, ManualOverride> overrides, AddressList denied, AddressList allowed) {
    this.overrides = overrides;
    this.denied = denied;
    this.allowed = allowed;
  }

  /** No overrides, nobody denied, loopback allowed. */
  public static Precedence standard() {
    return of(List.of(), AddressList.EMPTY, AddressList.of(LOOPBACK));
  }

  /**
   * Overrides and lists.
   *
   * @param overrides at most one for each subject; of several the last
   * @param denied who is refused
   * @param allowed who is limited and never judged by behaviour
   */
  public static Precedence of(
      Collection<ManualOverride> overrides, AddressList denied, AddressList allowed) {
    return new Precedence(
        overrides.stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    ManualOverride::subject, Function.identity(), (first, last) -> last)),
        denied,
        allowed);
  }

  /** The override of a subject that holds at a time. */
  public Optional<ManualOverride> override(String subject, long nowMicros) {
    return Optional.ofNullable(overrides.get(subject)).filter(it -> it.holdsAt(nowMicros));
  }

  /**
   * Which rule judges a call.
   *
   * @param subject whom the call is counted for
   * @param address where it comes from; {@code null} if that is not known
   * @param isVerifiedBot whether it is a bot whose name or address was verified
   * @param routeMode what the route says; {@code null} to leave it to the policy
   * @param nowMicros the time of the call
   */
  public Treatment treatment(
      String subject,
      @Nullable String address,
      boolean isVerifiedBot,
      AdaptivePolicy.@Nullable Mode routeMode,
      long nowMicros) {
    Optional<ManualOverride> override = override(subject, nowMicros);
    if (override.isPresent()) {
      return override.get().treatment();
    }
    if (address != null) {
      Optional<Cidr> deny = denied.find(address);
      if (deny.isPresent()) {
        return new Treatment(Treatment.Kind.REFUSED, Tier.NORMAL, "denied range " + deny.get());
      }
      Optional<Cidr> allow = allowed.find(address);
      if (allow.isPresent()) {
        return new Treatment(Treatment.Kind.LIMITED, Tier.NORMAL, "allowed range " + allow.get());
      }
    }
    if (isVerifiedBot) {
      return new Treatment(Treatment.Kind.LIMITED, Tier.NORMAL, "verified bot");
    }
    return routeMode == null ? Treatment.JUDGED : ofRoute(routeMode);
  }

  private static Treatment ofRoute(AdaptivePolicy.Mode mode) {
    return switch (mode) {
      case OFF -> new Treatment(Treatment.Kind.LIMITED, Tier.NORMAL, "route is off");
      case SHADOW -> new Treatment(Treatment.Kind.WATCHED, Tier.NORMAL, "route is in shadow");
      case ENFORCE -> Treatment.JUDGED;
    };
  }
}
