package dev.weir.adaptive;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Makes of a request what the model sees of it. Immutable and safe for use by several threads. */
public final class CallReader {

  private final AdaptivePolicy policy;

  /** A reader for a policy. */
  public CallReader(AdaptivePolicy policy) {
    this.policy = policy;
  }

  /**
   * A request.
   *
   * @param method the HTTP method
   * @param path the path without its query
   * @param template the pattern that the framework matched; {@code null} to make one of the path
   * @param isUnmatched whether the framework matched none
   * @param agent the user agent; empty if there is none
   * @param principal who is signed in; {@code null} if nobody is
   * @param fingerprint what the caller says makes two requests the same; {@code null} for method
   *     and template
   * @param cost what the call costs, 1 or more
   */
  public Read read(
      String method,
      String path,
      @Nullable String template,
      boolean isUnmatched,
      String agent,
      @Nullable String principal,
      @Nullable String fingerprint,
      long cost) {
    String decoded = decoded(path);
    RouteClass routeClass = RouteClass.of(decoded);
    String route = template == null ? RouteTemplate.of(decoded) : template;
    boolean isStatic = routeClass == RouteClass.STATIC;
    boolean isAuth = routeClass == RouteClass.AUTH;
    boolean isPost = method.equals("POST");
    double weight = isStatic ? policy.get(Setting.STATIC_WEIGHT) : 1;
    boolean machine = routeClass == RouteClass.HEALTH || routeClass == RouteClass.WEBHOOK;
    Call call =
        new Call(
            Hash.of(fingerprint == null ? method + ' ' + route : fingerprint),
            Hash.of(route),
            Hash.of(decoded),
            Math.min(Call.MAX_WEIGHT, Math.max(weight, cost > 1 ? (double) cost : 0)),
            isStatic,
            isUnmatched || (template == null && policy.tripwires().neverServed(decoded)),
            policy.tripwires().matches(decoded),
            false,
            isAuth && isPost,
            agent.isEmpty() && principal == null && !machine,
            principal == null ? 0 : nonZero(Hash.of(principal)),
            agent.isEmpty() ? 0 : nonZero(Hash.of(agent)));
    return new Read(call, isAuth || isPost, decoded, routeClass);
  }

  private static int nonZero(int hash) {
    return hash == 0 ? 1 : hash;
  }

  /** A path with its percent signs decoded, twice at most; as it is if they are malformed. */
  public static String decoded(String path) {
    String once = path.indexOf('%') < 0 ? path : decodedOnce(path);
    return once.indexOf('%') < 0 ? once : decodedOnce(once);
  }

  private static String decodedOnce(String path) {
    byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
    byte[] decoded = new byte[bytes.length];
    int length = 0;
    for (int i = 0; i < bytes.length; i++) {
      int high =
          i + 2 <= bytes.length - 1 && bytes[i] == '%' ? Character.digit(bytes[i + 1], 16) : -1;
      int low = high < 0 ? -1 : Character.digit(bytes[i + 2], 16);
      if (low >= 0) {
        decoded[length++] = (byte) (high * 16 + low);
        i += 2;
      } else {
        decoded[length++] = bytes[i];
      }
    }
    return new String(decoded, 0, length, StandardCharsets.UTF_8);
  }

  /**
   * A request as read.
   *
   * @param call what the model sees
   * @param isAuth whether a 401 or 403 is a failure to sign in
   * @param path the decoded path
   * @param routeClass what the path is for
   */
  public record Read(Call call, boolean isAuth, String path, RouteClass routeClass) {

    /** The hash of the path as popularity counts it: in lower case, without empty segments. */
    public int popularPath() {
      return Hash.of(path.toLowerCase(Locale.ROOT).replaceAll("//+", "/"));
    }

    /** Whether an answer of that status says that there is nothing under the path. */
    public boolean isMissing(int status) {
      return !call.isTripwire() && outcome(status, false).isUnmatched();
    }

    /**
     * The answer to this request.
     *
     * @param isPopular whether the path is missing for many others too
     */
    public Outcome outcome(int status, boolean isPopular) {
      return new Outcome(
          status, call.path(), call.isStatic(), call.isTripwire(), isPopular, isAuth);
    }
  }
}
