package dev.weir.server.api;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The paths of the admin interface, {@code /v1/admin/}. What they do may wait for the store, so it
 * runs on threads that may block.
 */
public final class AdminRoutes {

  /** The largest draft: 4 MiB. */
  private static final int MAX_DRAFT_BYTES = 4 * 1024 * 1024;

  private static final String ROOT = "/v1/admin/";

  private final LiveService live;
  private final SubjectService subjects;
  private final DraftService drafts;
  private final OverrideService overrides;

  /** The interface to what the services know. */
  public AdminRoutes(
      LiveService live, SubjectService subjects, DraftService drafts, OverrideService overrides) {
    this.overrides = overrides;
    this.live = live;
    this.subjects = subjects;
    this.drafts = drafts;
  }

  /** Something that is asked for by its address. */
  private interface Look {
    Object at(ServiceRequestContext ctx);
  }

  /** Something that is done with a body. */
  private interface Action {
    Object with(ServiceRequestContext ctx, @Nullable Object body);
  }

  /** Adds the paths to a server. */
  public void addTo(ServerBuilder server) {
    get(server, "status", live::status);
    get(server, "live", live::figures);
    get(server, "anomalies", live::anomalies);
    post(server, "self-check/clear", live::clearSelfCheck);
    get(server, "subjects", subjects::list);
    get(server, "subject", subjects::one);
    post(server, "subject/reset", subjects::reset);
    get(server, "overrides", overrides::list);
    post(server, "overrides/put", overrides::put);
    post(server, "overrides/remove", overrides::remove);
    get(server, "audit", overrides::audit);
    get(server, "policies", drafts::policies);
    get(server, "versions", drafts::versions);
    get(server, "versions/{number}", drafts::version);
    post(server, "draft/validate", drafts::validate);
    post(server, "draft/diff", drafts::diff);
    post(server, "draft/try", drafts::tryOut);
    post(server, "draft/compare", drafts::compare);
    post(server, "draft/apply", drafts::apply);
    post(server, "rollback", drafts::rollBack);
  }

  private static void get(ServerBuilder server, String path, Look look) {
    server
        .route()
        .path(ROOT + path)
        .methods(HttpMethod.GET, HttpMethod.HEAD)
        .build((ctx, request) -> blocking(ctx, () -> look.at(ctx)));
    ApiRoutes.otherMethods(server, ROOT + path, HttpMethod.GET, HttpMethod.HEAD);
  }

  private static void post(ServerBuilder server, String path, Action action) {
    HttpService service =
        (ctx, request) ->
            HttpResponse.of(
                request
                    .aggregate()
                    .thenApplyAsync(
                        whole -> {
                          byte[] content = whole.content().array();
                          return response(
                              action.with(ctx, content.length == 0 ? null : Json.read(content)));
                        },
                        ctx.blockingTaskExecutor()));
    server.route().post(ROOT + path).maxRequestLength(MAX_DRAFT_BYTES).build(service);
    ApiRoutes.otherMethods(server, ROOT + path, HttpMethod.POST);
  }

  private static HttpResponse blocking(ServiceRequestContext ctx, Supplier<Object> answer) {
    return HttpResponse.of(
        CompletableFuture.supplyAsync(() -> response(answer.get()), ctx.blockingTaskExecutor()));
  }

  private static HttpResponse response(Object answer) {
    if (answer instanceof Problem problem) {
      return problem.toResponse().toHttpResponse();
    }
    return RequestService.json(HttpStatus.OK, answer)
        .toHttpResponse()
        .mapHeaders(it -> it.withMutations(more -> more.set("cache-control", "no-store")));
  }
}
