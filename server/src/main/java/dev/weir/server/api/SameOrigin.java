package dev.weir.server.api;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;

/**
 * Refuses what a browser sends on behalf of another site, so that a page elsewhere cannot charge or
 * change limits of a service on the reader's own machine; and bodies that say they are not JSON.
 */
public final class SameOrigin extends SimpleDecoratingHttpService {

  /** Guards a service. */
  public SameOrigin(HttpService delegate) {
    super(delegate);
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) throws Exception {
    String origin = request.headers().get(HttpHeaderNames.ORIGIN);
    if (origin != null && !origin.endsWith("://" + request.authority())) {
      return new Problem(
              HttpStatus.FORBIDDEN,
              "The request comes from another site",
              "origin: '%s' is not this service; call it from a server, not from a page"
                  .formatted(origin),
              "")
          .toResponse()
          .toHttpResponse();
    }
    if (!isJsonOrUnsaid(request.contentType())) {
      return new Problem(
              HttpStatus.UNSUPPORTED_MEDIA_TYPE,
              "The body is of another type",
              "content-type: must be application/json, and was " + request.contentType(),
              "")
          .toResponse()
          .toHttpResponse();
    }
    return unwrap().serve(ctx, request);
  }

  /** Forms count as unsaid: it is what command line clients say if nobody tells them. */
  private static boolean isJsonOrUnsaid(@org.jspecify.annotations.Nullable MediaType type) {
    return type == null || type.isJson() || type.is(MediaType.FORM_DATA);
  }
}
