package dev.weir.adaptive;

/**
 * The template of a path for which no framework tells a pattern: segments that are numbers, UUIDs,
 * or hexadecimal of at least eight digits with a figure among them become {@code :id}.
 */
public final class RouteTemplate {

  private static final int LONGEST = 512;
  private static final int LEAST_HEX = 8;

  private RouteTemplate() {}

  /** The template of a path without its query; of a long one, of its first 512 characters. */
  public static String of(String path) {
    String text = path.length() <= LONGEST ? path : path.substring(0, LONGEST);
    StringBuilder template = new StringBuilder(text.length());
    int start = 0;
    while (start <= text.length()) {
      int end = text.indexOf('/', start);
      end = end < 0 ? text.length() : end;
      if (isId(text, start, end)) {
        template.append(":id");
      } else {
        template.append(text, start, end);
      }
      if (end < text.length()) {
        template.append('/');
      }
      start = end + 1;
    }
    return template.toString();
  }

  private static boolean isId(String text, int start, int end) {
    int digits = 0;
    int letters = 0;
    for (int i = start; i < end; i++) {
      char c = text.charAt(i);
      if (c >= '0' && c <= '9') {
        digits++;
      } else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) {
        letters++;
      } else if (c != '-' || !isUuidHyphen(i - start, end - start)) {
        return false;
      }
    }
    return digits > 0 && (letters == 0 || digits + letters >= LEAST_HEX);
  }

  private static boolean isUuidHyphen(int at, int length) {
    return length == 36 && (at == 8 || at == 13 || at == 18 || at == 23);
  }
}
