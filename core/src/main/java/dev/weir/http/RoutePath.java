package dev.weir.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/**
 * One spelling for the spellings of a path that routers take as the same: decoded, in lower case,
 * without parameters, empty segments, {@code .} and {@code ..}, and without dots, blanks or a slash
 * at its end. Some routers take fewer as the same; then a limit covers more than it has to, never
 * less. Pure.
 */
public final class RoutePath {

  private static final int LONGEST = 2048;

  private RoutePath() {}

  /** The one spelling of a path; its query, if there is one, is left out. Starts with a slash. */
  public static String normal(String path) {
    if (isNormal(path)) {
      return path;
    }
    String text = path.length() <= LONGEST ? path : path.substring(0, LONGEST);
    int query = text.indexOf('?');
    String decoded = decoded(query < 0 ? text : text.substring(0, query));
    Deque<String> segments = new ArrayDeque<>();
    for (String raw : decoded.replace('\\', '/').split("/", -1)) {
      String segment = segment(raw);
      if (segment.equals("..")) {
        segments.pollLast();
      } else if (!segment.isEmpty()) {
        segments.addLast(segment);
      }
    }
    return "/" + String.join("/", segments).toLowerCase(Locale.ROOT);
  }

  /** Whether nothing is to be done: the usual case, which costs no object. */
  private static boolean isNormal(String path) {
    if (path.isEmpty() || path.charAt(0) != '/' || path.length() > LONGEST) {
      return false;
    }
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      boolean plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
      boolean slash = c == '/' && i + 1 < path.length() && path.charAt(i + 1) != '/';
      if (!plain && !slash) {
        return path.equals("/");
      }
    }
    return true;
  }

  private static String segment(String raw) {
    int parameters = raw.indexOf(';');
    String bare = parameters < 0 ? raw : raw.substring(0, parameters);
    if (bare.equals("..")) {
      return bare;
    }
    int end = bare.length();
    while (end > 0 && (bare.charAt(end - 1) == '.' || bare.charAt(end - 1) <= ' ')) {
      end--;
    }
    return bare.substring(0, end);
  }

  private static String decoded(String path) {
    if (path.indexOf('%') < 0) {
      return path;
    }
    byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
    byte[] decoded = new byte[bytes.length];
    int length = 0;
    for (int i = 0; i < bytes.length; i++) {
      int high = bytes[i] == '%' && i + 2 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
      int low = high < 0 ? -1 : Character.digit(bytes[i + 2], 16);
      decoded[length++] = low < 0 ? bytes[i] : (byte) (high * 16 + low);
      i += low < 0 ? 0 : 2;
    }
    return new String(decoded, 0, length, StandardCharsets.UTF_8);
  }
}
