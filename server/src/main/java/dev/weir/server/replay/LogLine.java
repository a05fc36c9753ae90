package dev.weir.server.replay;

import org.jspecify.annotations.Nullable;

/**
 * One request of a log.
 *
 * @param address the client
 * @param user who was signed in, or {@code null}
 * @param timeMicros when, since the epoch
 * @param method the method; {@code -} for what was no HTTP request
 * @param path the path without its query
 * @param status the status of the answer
 * @param agent the user agent, empty if the client gave none; {@code null} if the log does not tell
 */
record LogLine(
    String address,
    @Nullable String user,
    long timeMicros,
    String method,
    String path,
    int status,
    @Nullable String agent) {

  /** Whether it was an HTTP request; what is none is answered before any limiter sees it. */
  boolean isHttp() {
    if (method.isEmpty() || !(path.startsWith("/") || path.equals("*"))) {
      return false;
    }
    for (int i = 0; i < method.length(); i++) {
      if (method.charAt(i) < 'A' || method.charAt(i) > 'Z') {
        return false;
      }
    }
    return true;
  }
}
