package dev.weir.server.api;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.config.PolicyFields;
import dev.weir.server.policy.PolicyRegistry;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code /v1/policies}: to read the policies and to change them while the service runs. */
final class PolicyService {

  private final PolicyRegistry policies;

  PolicyService(PolicyRegistry policies) {
    this.policies = policies;
  }

  AggregatedHttpResponse list() {
    return json(Map.of("policies", policies.policies().stream().map(PolicyFields::write).toList()));
  }

  AggregatedHttpResponse get(String name) {
    return policies
        .limiter(name)
        .map(RateLimiter::policy)
        .map(policy -> json(PolicyFields.write(policy)))
        .orElseGet(() -> Problem.unknownPolicy(name).toResponse());
  }

  AggregatedHttpResponse put(String name, @Nullable Object body) {
    RateLimitPolicy policy = PolicyFields.read(name, body);
    if (!policies.put(policy)) {
      return new Problem(
              HttpStatus.CONFLICT,
              "There are too many policies",
              "there are "
                  + PolicyRegistry.MAX_POLICIES
                  + " policies, the most there can be;"
                  + " change one of them instead",
              "")
          .toResponse();
    }
    return json(PolicyFields.write(policy));
  }

  private static AggregatedHttpResponse json(Object value) {
    return AggregatedHttpResponse.of(
        HttpStatus.OK, MediaType.JSON, HttpData.wrap(Json.write(value)));
  }
}
