package dev.weir.spring.web;

import dev.weir.RateLimiterException;
import dev.weir.http.RateLimitHeaders;
import dev.weir.http.Refusal;
import dev.weir.spring.RateLimitExceededException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/** Answers refusals that methods throw and that no handler of the application has answered. */
public final class MvcRefusals implements HandlerExceptionResolver, Ordered {

  private static final System.Logger LOG = System.getLogger(MvcRefusals.class.getName());

  /** After those of Spring MVC, which have 0. */
  private static final int ORDER = 1;

  private final RateLimitHeaders headers;

  /** Makes it. */
  public MvcRefusals(RateLimitHeaders headers) {
    this.headers = headers;
  }

  @Override
  public int getOrder() {
    return ORDER;
  }

  @Override
  public @Nullable ModelAndView resolveException(
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable Object handler,
      Exception failure) {
    if (response.isCommitted()) {
      return null;
    }
    if (failure instanceof RateLimitExceededException refused) {
      long now = System.currentTimeMillis() / 1_000;
      return write(response, Refusal.of(refused.decision(), headers, now));
    }
    if (failure instanceof RateLimiterException) {
      LOG.log(System.Logger.Level.ERROR, "a call could not be decided, and gets 503", failure);
      return write(response, Refusal.ofUndecided());
    }
    return null;
  }

  private static ModelAndView write(HttpServletResponse response, Refusal refusal) {
    response.resetBuffer();
    response.setStatus(refusal.status());
    refusal.headers().forEach(response::setHeader);
    byte[] body = refusal.body().getBytes(StandardCharsets.UTF_8);
    response.setContentType(Refusal.CONTENT_TYPE);
    response.setContentLength(body.length);
    try {
      response.getOutputStream().write(body);
    } catch (IOException e) {
      throw new UncheckedIOException("the client has gone", e);
    }
    return new ModelAndView();
  }
}
