package dev.weir.server.policy;

import java.util.ArrayList;
import java.util.List;

/**
 * Paths as routes are compared: so that no other spelling of a path gets around its policy. Pure.
 */
final class RoutePath {

  private RoutePath() {}

  /**
   * The segments of a decoded path: without empty ones, so that {@code //login/} is {@code /login},
   * and with {@code .} and {@code ..} carried out.
   */
  static List<String> segments(String path) {
    List<String> segments = new ArrayList<>();
    int query = path.indexOf('?');
    String plain = query < 0 ? path : path.substring(0, query);
    for (String segment : plain.split("/", -1)) {
      if (segment.equals("..")) {
        if (!segments.isEmpty()) {
          segments.remove(segments.size() - 1);
        }
      } else if (!segment.isEmpty() && !segment.equals(".")) {
        segments.add(segment);
      }
    }
    return segments;
  }
}
