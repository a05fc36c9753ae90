package dev.weir.server.api;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.weir.server.config.PolicyManager;
import dev.weir.server.policy.DefinitionFields;
import dev.weir.server.policy.PolicyDefinition;
import dev.weir.server.policy.PolicyRegistry;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code /v1/policies}: to read the policies and to change them while the service runs. */
final class PolicyService {

  private final PolicyRegistry policies;
  private final PolicyManager manager;

  PolicyService(PolicyRegistry policies, PolicyManager manager) {
    this.policies = policies;
    this.manager = manager;
  }

  AggregatedHttpResponse list() {
    return json(
        Map.of(
            "policies", policies.policies().stream().map(it -> it.definition().fields()).toList()));
  }

  AggregatedHttpResponse get(String name) {
    return policies
        .policy(name)
        .map(policy -> json(policy.definition().fields()))
        .orElseGet(() -> Problem.unknownPolicy(name).toResponse());
  }

  /** May wait for the store. */
  AggregatedHttpResponse put(String name, @Nullable Object body, String author) {
    PolicyDefinition policy = DefinitionFields.read(name, body);
    PolicyManager.Outcome outcome = manager.put(policy, author);
    return outcome == PolicyManager.Outcome.DONE
        ? json(policy.fields())
        : Problem.of(outcome, name).toResponse();
  }

  private static AggregatedHttpResponse json(Object value) {
    return RequestService.json(HttpStatus.OK, value);
  }
}
