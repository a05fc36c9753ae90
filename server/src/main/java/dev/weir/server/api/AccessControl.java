package dev.weir.server.api;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import dev.weir.server.security.ApiKey;
import dev.weir.server.security.ApiKeys;
import dev.weir.server.security.Role;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets in who may. With keys every request but for pages and health needs one of the right role.
 * Without keys whoever reaches the service may ask for decisions, and only this machine may look
 * behind them or change them.
 */
public final class AccessControl extends SimpleDecoratingHttpService {

  private static final String ADMIN = "/v1/admin/";
  private static final String DRAFT = "/v1/admin/draft/";
  private static final String POLICIES = "/v1/policies";
  private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final Set<String> CHANGING_DRAFTS = Set.of("/v1/admin/draft/apply");

  private final Supplier<ApiKeys> keys;

  /** Guards a service by the keys as they are at the time of each request. */
  public AccessControl(HttpService delegate, Supplier<ApiKeys> keys) {
    super(delegate);
    this.keys = keys;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) throws Exception {
    Role needed = needed(request.method(), ctx.path());
    if (needed == null) {
      return unwrap().serve(ctx, request);
    }
    ApiKeys known = keys.get();
    if (known.isOpen()) {
      return needed == Role.DECIDE || isThisMachine(ctx, request.headers())
          ? unwrap().serve(ctx, request)
          : refused(
              HttpStatus.FORBIDDEN,
              "without keys only http://localhost may do this; make a key with ./weir key and"
                  + " start the service with --api-keys FILE");
    }
    Optional<ApiKey> key = presented(request.headers()).flatMap(known::find);
    if (key.isEmpty()) {
      return refused(
              HttpStatus.UNAUTHORIZED,
              "a key is needed; send it as Authorization: Bearer KEY or X-API-Key: KEY")
          .mapHeaders(it -> it.withMutations(more -> more.set("www-authenticate", "Bearer")));
    }
    if (!key.get().role().includes(needed)) {
      return refused(
          HttpStatus.FORBIDDEN,
          "the key of '%s' has the role %s, and this needs %s"
              .formatted(key.get().name(), key.get().role().word(), needed.word()));
    }
    Caller.set(ctx, key.get());
    return unwrap().serve(ctx, request);
  }

  private static HttpResponse refused(HttpStatus status, String detail) {
    return new Problem(status, "The request is not permitted", detail, "")
        .toResponse()
        .toHttpResponse();
  }

  /** The role that a request needs; {@code null} if everybody may send it. */
  static @Nullable Role needed(HttpMethod method, String path) {
    boolean isLook = method == HttpMethod.GET || method == HttpMethod.HEAD;
    if (path.startsWith(ADMIN)) {
      boolean isDraft = path.startsWith(DRAFT) && !CHANGING_DRAFTS.contains(path);
      return isLook || isDraft ? Role.READ : Role.ADMIN;
    }
    if (path.equals(POLICIES) || path.startsWith(POLICIES + "/")) {
      return isLook ? Role.READ : Role.ADMIN;
    }
    if (path.startsWith("/v1/")) {
      return Role.DECIDE;
    }
    // What is no page is a protocol of its own, such as a gRPC service; health is for everybody.
    return isLook || path.startsWith("/grpc.health.") ? null : Role.DECIDE;
  }

  private static Optional<String> presented(RequestHeaders headers) {
    String authorization = headers.get("authorization", "");
    if (authorization.toLowerCase(Locale.ROOT).startsWith("bearer ")) {
      return Optional.of(authorization.substring("bearer ".length()).strip());
    }
    return Optional.ofNullable(headers.get("x-api-key"));
  }

  /**
   * Whether a request comes from this machine and means it: the name in it has to be this machine's
   * too, since a page elsewhere can give its own name this machine's address; and no proxy may have
   * passed it on for somebody else.
   */
  private static boolean isThisMachine(ServiceRequestContext ctx, RequestHeaders headers) {
    String authority = Optional.ofNullable(headers.authority()).orElse("");
    String host = authority.replaceFirst(":\\d+$", "").toLowerCase(Locale.ROOT);
    return ctx.remoteAddress().getAddress().isLoopbackAddress()
        && THIS_MACHINE.contains(host)
        && !headers.contains("x-forwarded-for")
        && !headers.contains("forwarded");
  }
}
