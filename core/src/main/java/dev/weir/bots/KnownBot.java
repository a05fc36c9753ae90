package dev.weir.bots;

import dev.weir.adaptive.AddressList;
import dev.weir.adaptive.Cidr;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * A bot, and how its operator says that it can be recognised: by the domain of the name that its
 * address has, or by ranges of addresses that the operator publishes.
 */
public final class KnownBot {

  private final String agentPart;
  private final List<String> domains;
  private final AddressList ranges;

  private KnownBot(String agentPart, List<String> domains, AddressList ranges) {
    this.agentPart = agentPart;
    this.domains = domains;
    this.ranges = ranges;
  }

  /**
   * A bot.
   *
   * @param agentPart what its user agent contains, in any case: only such clients are looked up
   * @param domains the domains that the names of its addresses are in; may be empty
   * @param ranges the addresses that its operator publishes; may be empty
   * @throws IllegalArgumentException if there is nothing to recognise it by
   */
  public static KnownBot of(String agentPart, List<String> domains, List<Cidr> ranges) {
    Objects.requireNonNull(agentPart, "agentPart");
    if (agentPart.isBlank() || (domains.isEmpty() && ranges.isEmpty())) {
      throw new IllegalArgumentException(
          "bot '"
              + agentPart
              + "' needs a part of its user agent, and a domain or a range to be verified by");
    }
    return new KnownBot(
        agentPart.toLowerCase(Locale.ROOT),
        domains.stream().map(domain -> domain.toLowerCase(Locale.ROOT)).toList(),
        AddressList.of(ranges));
  }

  /** The crawlers of search engines that say how to verify them by name. */
  public static List<KnownBot> searchEngines() {
    return List.of(
        of("googlebot", List.of("googlebot.com", "google.com"), List.of()),
        of("bingbot", List.of("search.msn.com"), List.of()),
        of("applebot", List.of("applebot.apple.com"), List.of()),
        of("yandex", List.of("yandex.ru", "yandex.net", "yandex.com"), List.of()),
        of("baiduspider", List.of("baidu.com", "baidu.jp"), List.of()));
  }

  boolean isClaimedBy(String lowerCaseAgent) {
    return lowerCaseAgent.contains(agentPart);
  }

  boolean hasAddress(String address) {
    return ranges.find(address).isPresent();
  }

  boolean hasDomains() {
    return !domains.isEmpty();
  }

  /** Whether a host is in one of its domains: the whole last labels, never a part of one. */
  boolean hasName(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    return domains.stream().anyMatch(it -> name.equals(it) || name.endsWith("." + it));
  }
}
