package dev.weir.server.api;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
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
