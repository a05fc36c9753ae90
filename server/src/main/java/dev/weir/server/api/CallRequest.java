package dev.weir.server.api;

import dev.weir.Limit;
import dev.weir.config.Fields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of a call: {@code policy}, {@code key} and, if it has one, {@code cost}.
 *
 * @param policy the name of the policy
 * @param key whom to judge
 * @param cost the permits asked for, 1 if the body has none
 */
record CallRequest(String policy, String key, long cost) {

  private static final String POLICY = "policy";
  private static final String KEY = "key";
  private static final String COST = "cost";

  /**
   * Reads a body.
   *
   * @throws dev.weir.config.ConfigException if a field cannot be used
   */
  static CallRequest read(@Nullable Object body, boolean mayHaveCost) {
    Fields fields = new Fields(body, "");
    fields.onlyKnown(mayHaveCost ? List.of(POLICY, KEY, COST) : List.of(POLICY, KEY));
    String policy = fields.text(POLICY);
    String key = fields.text(KEY);
    long cost = fields.has(COST) ? fields.wholeNumber(COST, 0, Limit.MAX_PERMITS) : 1;
    return new CallRequest(policy, key, cost);
  }
}
