package dev.weir.adaptive;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Paths that nobody asks for by accident. A pattern starts with a slash and matches where it stands
 * in a path as whole segments, in any case; one that ends with {@code *} matches whatever follows.
 * Immutable.
 */
public final class Tripwires {

  private static final List<String> STANDARD =
      List.of(
          "/.env*",
          "/.git/*",
          "/.svn/*",
          "/.hg/*",
          "/.aws/*",
          "/.ssh/*",
          "/.docker/*",
          "/.kube/*",
          "/.vscode/*",
          "/.idea/*",
          "/.ds_store",
          "/.htpasswd",
          "/.htaccess",
          "/.bash_history",
          "/.npmrc",
          "/.git-credentials",
          "/id_rsa*",
          "/etc/passwd",
          "/bin/sh",
          "/wp-login.php",
          "/xmlrpc.php",
          "/wp-config.php*",
          "/wlwmanifest.xml",
          "/wp-admin/*",
          "/wp-content/*",
          "/wp-includes/*",
          "/phpinfo*",
          "/info.php",
          "/eval-stdin.php",
          "/adminer*",
          "/phpmyadmin*",
          "/pma/*",
          "/cgi-bin/*",
          "/boaform/*",
          "/hnap1*",
          "/_profiler/*",
          "/_ignition/*",
          "/actuator/*",
          "/server-status",
          "/manager/html",
          "/docker-compose.yml",
          "/terraform.tfstate*",
          "/dump.sql",
          "/backup.sql",
          "/database.sql");

  private static final Tripwires DEFAULT = new Tripwires(STANDARD);

  private final List<String> patterns;

  private Tripwires(List<String> patterns) {
    this.patterns = List.copyOf(patterns);
  }

  /** The default list, which docs/adaptive.md shows. */
  public static Tripwires standard() {
    return DEFAULT;
  }

  /**
   * A list of one's own; empty for none.
   *
   * @throws IllegalArgumentException if a pattern does not start with a slash, or is only that
   */
  public static Tripwires of(List<String> patterns) {
    List<String> lower = new ArrayList<>();
    for (String pattern : patterns) {
      if (!pattern.startsWith("/") || pattern.length() < 3 || pattern.length() > 200) {
        throw new IllegalArgumentException(
            "a tripwire must start with a slash and have from 3 to 200 characters, and was '"
                + pattern
                + "'");
      }
      lower.add(pattern.toLowerCase(Locale.ROOT));
    }
    return new Tripwires(lower);
  }

  /** The patterns. */
  public List<String> patterns() {
    return patterns;
  }

  /**
   * Which patterns match routes that the application really serves, so that whoever asks for them
   * has done no wrong.
   *
   * @param routes the templates of the application's routes; a variable such as {@code {name}} or
   *     {@code :name} matches no pattern, since a route for anything serves nothing of these
   * @return a route for each pattern that matches one, in the order of the patterns
   */
  public Map<String, String> served(Collection<String> routes) {
    Map<String, String> served = new LinkedHashMap<>();
    for (String pattern : patterns) {
      routes.stream()
          .filter(route -> matches(route.toLowerCase(Locale.ROOT), pattern))
          .findFirst()
          .ifPresent(route -> served.put(pattern, route));
    }
    return served;
  }

  /**
   * Without the patterns that the application really serves; the caller warns of those.
   *
   * @param served whether the application has a route for a pattern
   */
  public Tripwires without(Predicate<String> served) {
    return new Tripwires(patterns.stream().filter(served.negate()).toList());
  }

  /**
   * Whether a path, percent-decoded and without its query, is one of these, or climbs above the
   * root, which no client does that follows links: it resolves {@code ..} before it asks.
   */
  public boolean matches(String path) {
    if (patterns.isEmpty()) {
      return false;
    }
    if (climbs(path)) {
      return true;
    }
    return anyMatches(path, "/");
  }

  /**
   * Whether a path is one of these that no application serves, whatever it answers: a hidden file,
   * or one that climbs above the root. An application that answers every path with a page answers
   * these too.
   */
  public boolean neverServed(String path) {
    return path.contains("/.") && !patterns.isEmpty() && (climbs(path) || anyMatches(path, "/."));
  }

  private boolean anyMatches(String path, String start) {
    String lower = path.toLowerCase(Locale.ROOT);
    for (String pattern : patterns) {
      if (pattern.startsWith(start) && matches(lower, pattern)) {
        return true;
      }
    }
    return false;
  }

  private static boolean climbs(String path) {
    if (!path.contains("/..")) {
      return false;
    }
    int depth = 0;
    for (int start = 1; start <= path.length(); ) {
      int end = path.indexOf('/', start);
      end = end < 0 ? path.length() : end;
      String segment = path.substring(start, end);
      if (segment.equals("..")) {
        depth--;
      } else if (!segment.isEmpty() && !segment.equals(".")) {
        depth++;
      }
      if (depth < 0) {
        return true;
      }
      start = end + 1;
    }
    return false;
  }

  private static boolean matches(String path, String pattern) {
    boolean open = pattern.endsWith("*");
    String text = open ? pattern.substring(0, pattern.length() - 1) : pattern;
    int at = path.indexOf(text);
    while (at >= 0) {
      int end = at + text.length();
      if (open || end == path.length() || path.charAt(end) == '/') {
        return true;
      }
      at = path.indexOf(text, at + 1);
    }
    return false;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Tripwires tripwires && tripwires.patterns.equals(patterns);
  }

  @Override
  public int hashCode() {
    return patterns.hashCode();
  }

  @Override
  public String toString() {
    return patterns.toString();
  }
}
