package dev.weir.spring.web;

import dev.weir.http.HttpRequestView;
import dev.weir.servlet.ServletRequestView;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import reactor.util.context.ContextView;

/** The request that is being answered. */
public final class CurrentRequest {

  private static final boolean HAS_SERVLETS =
      ClassUtils.isPresent(
          "jakarta.servlet.http.HttpServletRequest", CurrentRequest.class.getClassLoader());

  private CurrentRequest() {}

  /** Of this thread, in Spring MVC; {@code null} if there is none. */
  public static @Nullable HttpRequestView ofThread() {
    return HAS_SERVLETS ? OfServlets.ofThread() : null;
  }

  /** Of a subscriber, in WebFlux, or of this thread; {@code null} if there is none. */
  public static @Nullable HttpRequestView ofContext(ContextView context) {
    HttpRequestView view = context.getOrDefault(RateLimitWebFilter.VIEW, null);
    return view == null ? ofThread() : view;
  }

  /** What needs the classes of servlets. */
  private static final class OfServlets {

    static @Nullable HttpRequestView ofThread() {
      RequestAttributes attributes = RequestContextHolder.getRequestAttributes();
      return attributes != null
              && attributes.resolveReference(RequestAttributes.REFERENCE_REQUEST)
                  instanceof HttpServletRequest request
          ? new ServletRequestView(request)
          : null;
    }
  }
}
