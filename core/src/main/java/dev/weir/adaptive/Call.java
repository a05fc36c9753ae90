package dev.weir.adaptive;

/**
 * A request as the model sees it: hashes and facts, no text.
 *
 * @param fingerprint what makes two requests the same one, for repeats
 * @param route the hash of the route's template
 * @param path the hash of the path
 * @param weight what it counts for, more than 0
 * @param isStatic whether it asks for a static file
 * @param isUnmatched whether the application is known to have no route for it
 * @param isTripwire whether the path is a tripwire
 * @param isPopular whether the path is missing for many others too
 * @param isAuthAttempt whether somebody signs in with it
 * @param lacksAgent whether it has no user agent and should have one
 * @param principal the hash of who is signed in, or 0
 * @param agent the hash of the user agent, or 0
 */
public record Call(
    int fingerprint,
    int route,
    int path,
    double weight,
    boolean isStatic,
    boolean isUnmatched,
    boolean isTripwire,
    boolean isPopular,
    boolean isAuthAttempt,
    boolean lacksAgent,
    int principal,
    int agent) {

  /** The most a call can weigh. */
  public static final double MAX_WEIGHT = 100_000;

  /** Checks the weight. */
  public Call {
    if (!(weight > 0 && weight <= MAX_WEIGHT)) {
      throw new IllegalArgumentException(
          "weight must be more than 0 and at most 100000, and was " + weight);
    }
  }
}
