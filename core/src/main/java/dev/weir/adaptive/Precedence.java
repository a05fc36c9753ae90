package dev.weir.adaptive;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
  private final Map<Cidr, AddressRule> rules;
  private final AddressList denied;
  private final AddressList allowed;

  private Precedence(
      Map<String, ManualOverride> overrides,
      Map<Cidr, AddressRule> rules,
      AddressList denied,
      AddressList allowed) {
    this.overrides = overrides;
    this.rules = rules;
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
    return new Precedence(bySubject(overrides), Map.of(), denied, allowed);
  }

  /**
   * Rulings, and the ranges of a configuration.
   *
   * @param overrides at most one for each subject; of several the last
   * @param rules at most one for each range; of several the last
   * @param fixed the ranges of the configuration; a rule about the same range is nearer
   */
  static Precedence of(
      Collection<ManualOverride> overrides, Collection<AddressRule> rules, AddressRanges fixed) {
    Map<Cidr, AddressRule> byRange =
        rules.stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    AddressRule::range, Function.identity(), (first, last) -> last));
    return new Precedence(
        bySubject(overrides),
        byRange,
        list(byRange, fixed.denied(), true),
        list(byRange, fixed.allowed(), false));
  }

  private static AddressList list(
      Map<Cidr, AddressRule> byRange, List<Cidr> fixed, boolean isDenied) {
    Stream<Cidr> ruled =
        byRange.values().stream()
            .filter(rule -> rule.isDenied() == isDenied)
            .map(AddressRule::range);
    Stream<Cidr> others = fixed.stream().filter(range -> !byRange.containsKey(range));
    return AddressList.of(Stream.concat(ruled, others).toList());
  }

  private static Map<String, ManualOverride> bySubject(Collection<ManualOverride> overrides) {
    return overrides.stream()
        .collect(
            Collectors.toUnmodifiableMap(
                ManualOverride::subject, Function.identity(), (first, last) -> last));
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
        return byRange(deny.get(), Treatment.Kind.REFUSED, "denied range ");
      }
      Optional<Cidr> allow = allowed.find(address);
      if (allow.isPresent()) {
        return byRange(allow.get(), Treatment.Kind.LIMITED, "allowed range ");
      }
    }
    if (isVerifiedBot) {
      return new Treatment(Treatment.Kind.LIMITED, Tier.NORMAL, "verified bot");
    }
    return routeMode == null ? Treatment.JUDGED : ofRoute(routeMode);
  }

  private Treatment byRange(Cidr range, Treatment.Kind kind, String what) {
    AddressRule rule = rules.get(range);
    return rule == null ? new Treatment(kind, Tier.NORMAL, what + range) : rule.treatment();
  }

  private static Treatment ofRoute(AdaptivePolicy.Mode mode) {
    return switch (mode) {
      case OFF -> new Treatment(Treatment.Kind.LIMITED, Tier.NORMAL, "route is off");
      case SHADOW -> new Treatment(Treatment.Kind.WATCHED, Tier.NORMAL, "route is in shadow");
      case ENFORCE -> Treatment.JUDGED;
    };
  }
}
