package dev.weir.spring.web;

import dev.weir.http.ClientIdentity;
import dev.weir.http.PathPattern;
import java.util.List;

/**
 * All rules for HTTP requests. Immutable.
 *
 * @param rules the rules; all that match are applied, charged all or none
 * @param exempt paths that are never limited
 * @param client who a request is from, where no rule says
 */
public record HttpRules(List<HttpRule> rules, List<PathPattern> exempt, ClientIdentity client) {

  /** Copies the lists. */
  public HttpRules {
    rules = List.copyOf(rules);
    exempt = List.copyOf(exempt);
  }
}
