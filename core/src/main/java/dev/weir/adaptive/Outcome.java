package dev.weir.adaptive;

/**
 * How the application answered an allowed request. The limiter's own refusals are no outcomes.
 *
 * @param status the HTTP status
 * @param path the hash of the path
 * @param isStatic whether it was asked for a static file
 * @param isTripwire whether the path is a tripwire
 * @param isPopular whether the path is missing for many others too
 * @param isAuth whether it was a POST, or of a route where people sign in
 */
public record Outcome(
    int status, int path, boolean isStatic, boolean isTripwire, boolean isPopular, boolean isAuth) {

  /** Whether there is nothing under the path, or the path is a tripwire that was not served. */
  boolean isUnmatched() {
    return switch (status) {
      case 400, 403, 404, 405, 410 -> !isStatic;
      // Whether a tripwire exists is not known while the application fails; asking is enough.
      default -> isTripwire && status >= 400;
    };
  }

  boolean isAuthFailure() {
    return isAuth && (status == 401 || status == 403);
  }

  boolean isServerError() {
    return status >= 500 && status <= 599;
  }
}
