package dev.weir.servlet;

import dev.weir.adaptive.AdaptiveRateLimiter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Tells what is known of a subject. */
final class TierServlet extends HttpServlet {

  private static final long serialVersionUID = 1L;
  private final transient AdaptiveRateLimiter limiter;

  TierServlet(AdaptiveRateLimiter limiter) {
    this.limiter = limiter;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.getWriter().write(limiter.explain(request.getParameter("subject")).toString());
  }
}
