package dev.weir.servlet;

import dev.weir.http.Refusal;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Writes refusals. What filters before this one have put into the headers stays. */
final class RefusalWriter {

  private RefusalWriter() {}

  /**
   * Answers with a refusal.
   *
   * @return whether that was possible: not if the response has been sent already
   */
  static boolean write(HttpServletResponse response, Refusal refusal) throws IOException {
    if (response.isCommitted()) {
      return false;
    }
    // No sendError: its error page would be another dispatch, and other headers.
    response.resetBuffer();
    response.setStatus(refusal.status());
    refusal.headers().forEach(response::setHeader);
    byte[] body = refusal.body().getBytes(StandardCharsets.UTF_8);
    response.setContentType(Refusal.CONTENT_TYPE);
    response.setContentLength(body.length);
    try {
      response.getOutputStream().write(body);
    } catch (IllegalStateException e) {
      // A filter before this one has taken the writer. The body is ASCII.
      response.getWriter().write(refusal.body());
    }
    response.flushBuffer();
    return true;
  }
}
