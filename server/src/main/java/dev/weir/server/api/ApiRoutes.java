package dev.weir.server.api;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.weir.adaptive.AddressList;
import dev.weir.server.config.PolicyManager;
import dev.weir.server.decide.Decider;
import dev.weir.server.decide.DecisionObserver;
import dev.weir.server.policy.PolicyRegistry;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The paths of the HTTP interface. */
public final class ApiRoutes {

  /** The largest body of a request: 64 KiB. */
  public static final int MAX_BODY_BYTES = 64 * 1024;

  private final DecisionService decisions;
  private final PolicyService policies;
  private final RequestService requests;

  /**
   * The interface to some policies.
   *
   * @param observer is told of what is decided by the names of policies
   * @param proxies whose {@code X-Forwarded-For} is believed
   * @param clock the time of the answers, for their headers
   */
  public ApiRoutes(
      PolicyRegistry registry,
      PolicyManager manager,
      Decider decider,
      DecisionObserver observer,
      Supplier<AddressList> proxies,
      InstantSource clock) {
    this.decisions = new DecisionService(registry, observer, clock);
    this.policies = new PolicyService(registry, manager);
    this.requests = new RequestService(decider, proxies, clock);
  }

  /** Adds the paths to a server. */
  public void addTo(ServerBuilder server) {
    server.maxRequestLength(MAX_BODY_BYTES).errorHandler(new ProblemHandler(MAX_BODY_BYTES));
    post(server, "/v1/acquire", decisions::acquire);
    post(server, "/v1/peek", decisions::peek);
    post(server, "/v1/charge", decisions::charge);
    post(server, "/v1/refund", decisions::refund);
    post(server, "/v1/reserve", decisions::reserve);
    post(server, "/v1/settle", decisions::settle);
    post(server, "/v1/cancel", decisions::cancel);
    post(server, "/v1/reset", decisions::reset);
    post(server, "/v1/decide", requests::decide);
    post(server, "/v1/report", requests::report);
    server
        .route()
        .path("/v1/policies")
        .methods(HttpMethod.GET, HttpMethod.HEAD)
        .build((ctx, request) -> done(policies.list()));
    server
        .route()
        .path("/v1/policies/{name}")
        .methods(HttpMethod.GET, HttpMethod.HEAD)
        .build((ctx, request) -> done(policies.get(policyName(ctx))));
    server
        .route()
        .put("/v1/policies/{name}")
        .build((ctx, request) -> read(request, body -> put(ctx, body)));
    server
        .route()
        .get("/healthz")
        .build((ctx, request) -> HttpResponse.of(HttpStatus.OK, MediaType.PLAIN_TEXT, "ok\n"));
    otherMethods(server, "/v1/policies", HttpMethod.GET, HttpMethod.HEAD);
    otherMethods(server, "/v1/policies/{name}", HttpMethod.GET, HttpMethod.HEAD, HttpMethod.PUT);
    server.serviceUnder("/v1/", nothingHere());
  }

  private static void post(
      ServerBuilder server,
      String path,
      Function<@Nullable Object, CompletableFuture<AggregatedHttpResponse>> answer) {
    server.route().post(path).build(body(answer));
    otherMethods(server, path, HttpMethod.POST);
  }

  /** Answers what no path and no file answers. */
  public static HttpService nothingHere() {
    return (ctx, request) ->
        new Problem(
                HttpStatus.NOT_FOUND,
                "There is nothing here",
                "%s %s: nothing is here; POST /v1/acquire asks for a decision, GET / is a demo"
                    .formatted(request.method(), ctx.path()),
                "")
            .toResponse()
            .toHttpResponse();
  }

  /** Answers the methods that a path has not. */
  static void otherMethods(ServerBuilder server, String path, HttpMethod... methods) {
    Set<HttpMethod> others = EnumSet.copyOf(HttpMethod.knownMethods());
    others.removeAll(List.of(methods));
    String allowed = Stream.of(methods).map(Enum::name).collect(Collectors.joining(", "));
    Problem problem =
        new Problem(
            HttpStatus.METHOD_NOT_ALLOWED,
            "The path has other methods",
            path + ": the method must be one of " + allowed,
            "");
    server
        .route()
        .path(path)
        .methods(others)
        .build(
            (ctx, request) ->
                problem
                    .toResponse()
                    .toHttpResponse()
                    .mapHeaders(it -> it.withMutations(more -> more.set("allow", allowed))));
  }

  private CompletableFuture<AggregatedHttpResponse> put(
      ServiceRequestContext ctx, @Nullable Object body) {
    return CompletableFuture.supplyAsync(
        () -> policies.put(policyName(ctx), body, Caller.name(ctx)), ctx.blockingTaskExecutor());
  }

  private static String policyName(ServiceRequestContext ctx) {
    return Objects.requireNonNull(ctx.pathParam("name"));
  }

  private static HttpService body(
      Function<@Nullable Object, CompletableFuture<AggregatedHttpResponse>> answer) {
    return (ctx, request) -> read(request, answer);
  }

  private static HttpResponse read(
      HttpRequest request,
      Function<@Nullable Object, CompletableFuture<AggregatedHttpResponse>> answer) {
    return HttpResponse.of(
        request
            .aggregate()
            .thenCompose(whole -> answer.apply(Json.read(whole.content().array())))
            .thenApply(AggregatedHttpResponse::toHttpResponse));
  }

  private static HttpResponse done(AggregatedHttpResponse response) {
    return response.toHttpResponse();
  }
}
