package dev.weir.server.api;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.weir.server.config.PolicyManager;
import dev.weir.server.policy.PolicyRegistry;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What went wrong with a request, as {@code application/problem+json} (RFC 9457).
 *
 * @param status the HTTP status
 * @param title the kind of problem, the same for all of a kind
 * @param detail what was wrong with this request, and what to do
 * @param field the field of the body that it is about, or empty
 */
record Problem(HttpStatus status, String title, String detail, String field) {

  static final MediaType TYPE = MediaType.create("application", "problem+json");

  static Problem badRequest(String field, String detail) {
    return new Problem(HttpStatus.BAD_REQUEST, "The request cannot be understood", detail, field);
  }

  static Problem unknownPolicy(String name) {
    return new Problem(
        HttpStatus.NOT_FOUND,
        "There is no such policy",
        "policy: there is no policy '" + name + "'; GET /v1/policies lists those that exist",
        "policy");
  }

  /** Why policies were not changed. */
  static Problem of(PolicyManager.Outcome outcome, String name) {
    return switch (outcome) {
      case TOO_MANY ->
          conflict(
              "There are too many policies",
              "there are "
                  + PolicyRegistry.MAX_POLICIES
                  + " policies, the most there can be; change one of them instead");
      case IN_FILE ->
          conflict(
              "The policy is in the file",
              "policy '%s' is in the file that --config names; change it there".formatted(name));
      case CONFLICT ->
          conflict(
              "Somebody else changed the policies",
              "the policies were changed since; look at what they are now, and try again");
      case UNKNOWN, DONE ->
          new Problem(
              HttpStatus.NOT_FOUND,
              "There is no such version or policy",
              "'%s' is not there; GET /v1/admin/versions and GET /v1/policies list what is"
                  .formatted(name),
              "");
    };
  }

  private static Problem conflict(String title, String detail) {
    return new Problem(HttpStatus.CONFLICT, title, detail, "");
  }

  AggregatedHttpResponse toResponse() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("type", "about:blank");
    members.put("title", title);
    members.put("status", status.code());
    members.put("detail", detail);
    if (!field.isEmpty()) {
      members.put("field", field);
    }
    return AggregatedHttpResponse.of(
        ResponseHeaders.of(status, "content-type", TYPE, "cache-control", "no-store"),
        HttpData.wrap(Json.write(members)));
  }
}
