package dev.weir.server.replay;

import org.jspecify.annotations.Nullable;

/** What the formats have in common. */
final class LogLines {

  private static final int LONGEST_PATH = 2_048;

  private LogLines() {}

  /**
   * A line of a request as it was sent, such as {@code GET /a?b=c HTTP/1.1}.
   *
   * @param user {@code -} or empty if nobody was signed in
   * @param agent {@code -} or empty if the client gave none
   */
  static LogLine of(
      String address,
      String user,
      long timeMicros,
      String request,
      int status,
      @Nullable String agent) {
    int methodEnd = request.indexOf(' ');
    int targetEnd = request.indexOf(' ', methodEnd + 1);
    String method = methodEnd < 0 ? "-" : request.substring(0, methodEnd);
    String target =
        methodEnd < 0
            ? request
            : request.substring(methodEnd + 1, targetEnd < 0 ? request.length() : targetEnd);
    return new LogLine(
        address,
        isNone(user) ? null : user,
        timeMicros,
        method,
        path(target),
        status,
        agent == null ? null : isNone(agent) ? "" : agent);
  }

  private static boolean isNone(String text) {
    return text.isEmpty() || text.equals("-");
  }

  /** The path of a request's target: without scheme and host, query and fragment. */
  static String path(String target) {
    String path = target;
    if (path.startsWith("http://") || path.startsWith("https://")) {
      int slash = path.indexOf('/', path.indexOf("//") + 2);
      path = slash < 0 ? "/" : path.substring(slash);
    }
    int end = path.length();
    for (char c : new char[] {'?', '#'}) {
      int at = path.indexOf(c);
      end = at < 0 ? end : Math.min(end, at);
    }
    return path.substring(0, Math.min(end, LONGEST_PATH));
  }
}
