package dev.weir.servlet;

import dev.weir.http.ClientIdentity;
import dev.weir.http.ClientKey;
import dev.weir.http.RouteKey;
import dev.weir.servlet.RateLimitFilter.Matching;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules of a filter: what they ask for a request. Immutable. */
final class Rules {

  private static final ClientKey EVERYBODY = new ClientKey(ClientKey.Outcome.KNOWN, "everybody");

  private final List<RateLimitRule> rules;
  private final Matching matching;
  private final ClientIdentity client;

  /**
   * Rules.
   *
   * @param client who a request is from, for rules that do not say
   */
  Rules(List<RateLimitRule> rules, Matching matching, ClientIdentity client) {
    this.rules = List.copyOf(rules);
    this.matching = matching;
    this.client = client;
  }

  /**
   * What is asked for a request, but for what another filter has charged for it.
   *
   * @return {@code null} if somebody is to be charged and it cannot be told who
   */
  @Nullable List<Ask> asks(ServletRequestView view, RequestState state) {
    List<Ask> asks = new ArrayList<>(rules.size());
    for (RateLimitRule rule : rules) {
      String pattern = rule.match(view);
      if (pattern != null) {
        ClientIdentity identity = rule.client() == null ? client : rule.client();
        ClientKey key = rule.isShared() ? EVERYBODY : identity.of(view);
        if (key.outcome() == ClientKey.Outcome.REFUSED) {
          return null;
        }
        if (key.isCharged()) {
          Ask ask = ask(rule, pattern, key, identity, view);
          if (state.charge(ask)) {
            asks.add(ask);
          }
        }
        if (matching == Matching.FIRST) {
          break;
        }
      }
    }
    return asks;
  }

  private static Ask ask(
      RateLimitRule rule,
      String pattern,
      ClientKey key,
      ClientIdentity identity,
      ServletRequestView view) {
    String text =
        rule.isPerRoute()
            ? key.of(RouteKey.of(view.method(), route(rule, pattern, view), view.path()))
            : key.text();
    String address = rule.adaptive() == null ? null : identity.address(view).orElse(null);
    return new Ask(rule, text, rule.cost(view), view, address);
  }

  private static String route(RateLimitRule rule, String pattern, ServletRequestView view) {
    String matched = view.route();
    if (matched != null) {
      return matched;
    }
    return rule.namesPaths() ? pattern : view.mapping();
  }
}
