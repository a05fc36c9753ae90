package dev.weir.server.api;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.util.Exceptions;
import com.linecorp.armeria.server.HttpResponseException;
import com.linecorp.armeria.server.HttpStatusException;
import com.linecorp.armeria.server.RequestTimeoutException;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.weir.RateLimiterException;
import dev.weir.config.ConfigException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns whatever went wrong into a problem that says what to do, without a stack trace. */
final class ProblemHandler implements ServerErrorHandler {

  private static final Logger LOG = LoggerFactory.getLogger(ProblemHandler.class);

  private final int maxBodyBytes;

  ProblemHandler(int maxBodyBytes) {
    this.maxBodyBytes = maxBodyBytes;
  }

  @Override
  public @Nullable HttpResponse onServiceException(ServiceRequestContext ctx, Throwable thrown) {
    Throwable cause = Exceptions.peel(thrown);
    if (cause instanceof HttpResponseException || cause instanceof HttpStatusException) {
      return null;
    }
    return problem(cause).toResponse().toHttpResponse();
  }

  private Problem problem(Throwable cause) {
    if (cause instanceof ConfigException config) {
      return Problem.badRequest(config.field(), String.valueOf(config.getMessage()));
    }
    if (cause instanceof ContentTooLargeException) {
      return new Problem(
          HttpStatus.REQUEST_ENTITY_TOO_LARGE,
          "The body is too large",
          "the body must be at most " + maxBodyBytes + " bytes",
          "");
    }
    if (cause instanceof RateLimiterException || cause instanceof RequestTimeoutException) {
      LOG.warn("no decision: {}", cause.getMessage());
      return new Problem(
          HttpStatus.SERVICE_UNAVAILABLE,
          "The store did not decide",
          "the store did not answer in time; try again, and look at the log of this service",
          "");
    }
    LOG.error("an unexpected error", cause);
    return new Problem(
        HttpStatus.INTERNAL_SERVER_ERROR,
        "The service failed",
        "an unexpected error; the log of this service has it",
        "");
  }

  @Override
  public @Nullable AggregatedHttpResponse renderStatus(
      @Nullable ServiceRequestContext ctx,
      ServiceConfig config,
      @Nullable RequestHeaders headers,
      HttpStatus status,
      @Nullable String description,
      @Nullable Throwable cause) {
    return new Problem(status, status.reasonPhrase(), detail(headers, status), "").toResponse();
  }

  private String detail(@Nullable RequestHeaders headers, HttpStatus status) {
    String what = headers == null ? "the request" : headers.method() + " " + headers.path();
    return switch (status.code()) {
      case 413 -> what + ": the body must be at most " + maxBodyBytes + " bytes";
      default -> what + ": " + status.reasonPhrase().toLowerCase(java.util.Locale.ROOT);
    };
  }
}
