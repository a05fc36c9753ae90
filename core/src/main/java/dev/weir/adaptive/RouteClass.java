package dev.weir.adaptive;

import java.util.Locale;
import java.util.Set;

/** What a path is for, as far as its text tells. */
public enum RouteClass {
  /** Anything else. */
  DYNAMIC,
  /** A file of a page: style, script, picture, font. */
  STATIC,
  /** A check whether the application lives. */
  HEALTH,
  /** Called by machines of others. */
  WEBHOOK,
  /** Where people sign in. */
  AUTH;

  private static final Set<String> STATIC_EXTENSIONS =
      Set.of(
          "css", "js", "mjs", "map", "png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "ico",
          "bmp", "woff", "woff2", "ttf", "otf", "eot", "mp3", "mp4", "webm", "ogg", "wav");

  private static final Set<String> HEALTH_SEGMENTS =
      Set.of("health", "healthz", "livez", "readyz", "ping", "heartbeat", "status", "liveness");

  private static final Set<String> WEBHOOK_SEGMENTS =
      Set.of("webhook", "webhooks", "hook", "hooks", "callback", "callbacks");

  private static final Set<String> AUTH_SEGMENTS =
      Set.of(
          "login",
          "signin",
          "sign-in",
          "sign_in",
          "auth",
          "oauth",
          "token",
          "session",
          "sessions",
          "password",
          "logon",
          "2fa",
          "otp");

  private static final Set<String> WELL_KNOWN =
      Set.of(
          "/robots.txt",
          "/favicon.ico",
          "/sitemap.xml",
          "/ads.txt",
          "/app-ads.txt",
          "/humans.txt",
          "/security.txt",
          "/apple-touch-icon.png");

  /** The class of a path without its query. */
  public static RouteClass of(String path) {
    String lower = path.toLowerCase(Locale.ROOT);
    if (WELL_KNOWN.contains(lower) || lower.startsWith("/.well-known/")) {
      return STATIC;
    }
    int slash = lower.lastIndexOf('/');
    int dot = lower.lastIndexOf('.');
    if (dot > slash && STATIC_EXTENSIONS.contains(lower.substring(dot + 1))) {
      return STATIC;
    }
    return ofSegments(lower);
  }

  private static RouteClass ofSegments(String lower) {
    RouteClass found = DYNAMIC;
    int start = 0;
    while (start <= lower.length()) {
      int end = lower.indexOf('/', start);
      end = end < 0 ? lower.length() : end;
      String segment = lower.substring(start, end);
      if (AUTH_SEGMENTS.contains(segment)) {
        return AUTH;
      }
      if (WEBHOOK_SEGMENTS.contains(segment)) {
        found = WEBHOOK;
      } else if (HEALTH_SEGMENTS.contains(segment) && found == DYNAMIC) {
        found = HEALTH;
      }
      start = end + 1;
    }
    return found;
  }
}
