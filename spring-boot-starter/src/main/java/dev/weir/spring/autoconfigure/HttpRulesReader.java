package dev.weir.spring.autoconfigure;

import dev.weir.Limit;
import dev.weir.http.ClientAddress;
import dev.weir.http.ClientIdentity;
import dev.weir.http.IdentitySource;
import dev.weir.http.PathPattern;
import dev.weir.http.RouteKey;
import dev.weir.http.TrustedProxies;
import dev.weir.spring.RateLimiters;
import dev.weir.spring.autoconfigure.WeirProperties.Policy;
import dev.weir.spring.web.HttpRule;
import dev.weir.spring.web.HttpRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;

/** Makes the rules for HTTP requests of properties. */
final class HttpRulesReader {

  private static final String EVERYBODY = "everybody";
  private static final String PROXY_HEADER = "proxy-header:";
  private static final String BEAN = "bean:";

  private final WeirProperties properties;
  private final RateLimiters limiters;
  private final Function<String, IdentitySource> beans;

  HttpRulesReader(
      WeirProperties properties, RateLimiters limiters, Function<String, IdentitySource> beans) {
    this.properties = properties;
    this.limiters = limiters;
    this.beans = beans;
  }

  /** The rules; who a request is from is told by the identity given, if there is one. */
  HttpRules read(@Nullable ClientIdentity identity) {
    List<HttpRule> rules = new ArrayList<>();
    properties
        .policies()
        .forEach(
            (name, policy) -> {
              HttpRule rule = rule(name, policy, identity);
              if (!policy.match().isEmpty()) {
                rules.add(rule);
              }
            });
    ClientIdentity usual =
        identity != null ? identity : identity("weir.http", List.of("principal", "address"));
    return new HttpRules(rules, patterns("weir.http.exempt", properties.http().exempt()), usual);
  }

  private HttpRule rule(String name, Policy policy, @Nullable ClientIdentity identity) {
    String path = "weir.policies." + name;
    if (policy.cost() < 0 || policy.cost() > Limit.MAX_PERMITS) {
      throw new WeirPropertyException(
          path + ".cost",
          "must be from 0 to %d, and was %d".formatted(Limit.MAX_PERMITS, policy.cost()));
    }
    boolean shared = policy.key().contains(EVERYBODY);
    if (shared && policy.key().size() > 1) {
      throw new WeirPropertyException(
          path + ".key", "must be everybody alone, and was " + policy.key());
    }
    Set<String> methods =
        policy.methods().stream().map(RouteKey::method).collect(Collectors.toUnmodifiableSet());
    if (methods.contains("OTHER")) {
      throw new WeirPropertyException(
          path + ".methods",
          "must be methods of HTTP in capital letters, such as POST, and were " + policy.methods());
    }
    return new HttpRule(
        limiters.get(name),
        patterns(path + ".match", policy.match()),
        methods,
        shared ? null : identity != null ? identity : identity(path + ".key", policy.key()),
        policy.perRoute(),
        policy.cost());
  }

  private ClientIdentity identity(String property, List<String> words) {
    WeirProperties.Http http = properties.http();
    ClientIdentity.Builder builder =
        ClientIdentity.builder()
            .whenMissing(http.missing())
            .trustedProxies(
                checked(
                    "weir.http.trusted-proxies",
                    () -> TrustedProxies.of(http.proxyHeader(), http.trustedProxies())))
            .address(
                checked(
                    "weir.http.ipv6-prefix",
                    () -> ClientAddress.withIpv6Prefix(http.ipv6Prefix())));
    words.forEach(word -> builder.source(source(property, word)));
    return checked(property, builder::build);
  }

  private IdentitySource source(String property, String word) {
    if (word.equals("address")) {
      return IdentitySource.address();
    }
    if (word.equals("principal")) {
      return IdentitySource.principal();
    }
    if (word.startsWith(PROXY_HEADER) && word.length() > PROXY_HEADER.length()) {
      if (properties.http().trustedProxies().isEmpty()) {
        throw new WeirPropertyException(
            property,
            "was '%s', and a header is believed from a trusted proxy only; set".formatted(word)
                + " weir.http.trusted-proxies");
      }
      return IdentitySource.proxyHeader(word.substring(PROXY_HEADER.length()));
    }
    if (word.startsWith(BEAN)) {
      try {
        return beans.apply(word.substring(BEAN.length()));
      } catch (BeansException e) {
        throw new WeirPropertyException(
            property,
            "was '%s', and there is no such bean of type IdentitySource: %s"
                .formatted(word, e.getMessage()));
      }
    }
    throw new WeirPropertyException(
        property,
        "must be address, principal, everybody, proxy-header:NAME or bean:NAME, and was '"
            + word
            + "'");
  }

  private static List<PathPattern> patterns(String property, List<String> texts) {
    return texts.stream().map(text -> checked(property, () -> PathPattern.parse(text))).toList();
  }

  private static <T> T checked(String property, Supplier<T> maker) {
    try {
      return maker.get();
    } catch (IllegalArgumentException e) {
      throw new WeirPropertyException(property, String.valueOf(e.getMessage()));
    }
  }
}
