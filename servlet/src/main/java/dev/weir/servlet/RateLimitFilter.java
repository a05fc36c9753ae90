package dev.weir.servlet;

import dev.weir.Decision;
import dev.weir.adaptive.AdaptiveVerdict;
import dev.weir.http.ClientIdentity;
import dev.weir.http.PathPattern;
import dev.weir.http.RateLimitHeaders;
import dev.weir.http.Refusal;
import dev.weir.http.RequestClass;
import dev.weir.http.SharedAddressDetector;
import dev.weir.http.TrustedProxies;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Limits requests by {@linkplain RateLimitRule rules}, each request once, whatever dispatches it
 * goes through and however often filters are registered. Safe for use by any number of threads.
 *
 * <pre>{@code
 * RateLimitFilter.builder()
 *     .rule(RateLimitRule.of(limiter))
 *     .build()
 *     .register(servletContext);
 * }</pre>
 *
 * <p>A request that may go on has the quota in its headers. One that may not is answered here: 429
 * with a problem that says when to come again, 503 if the store is away and the policy refuses
 * then, 403 if it cannot be told whom it is from. What filters before this one have put into the
 * headers stays, those of CORS too. Real preflights are never limited.
 *
 * <p>If nobody can decide, since Redis asks for a password for example, the request is refused with
 * 503 or goes on, as {@link Builder#whenUndecided} says; it is logged, and never a 500.
 */
public final class RateLimitFilter implements Filter {

  /** Which of the rules that a request matches are applied. */
  public enum Matching {
    /** All of them: charged all or none. */
    ALL,
    /** The first. */
    FIRST
  }

  /** What becomes of a request if nobody can decide. */
  public enum Undecided {
    /** It is answered with 503. */
    REFUSE,
    /** It goes on without a limit. */
    ALLOW
  }

  /** How long an answer is waited for at most unless told otherwise: five seconds. */
  public static final Duration DEFAULT_DEADLINE = Duration.ofSeconds(5);

  private static final String EXPOSED = "Access-Control-Expose-Headers";

  private final Rules rules;
  private final TrustedProxies proxies;
  private final List<PathPattern> exempt;
  private final boolean exemptStatic;
  private final RateLimitHeaders headers;
  private final String exposed;
  private final boolean tellsQuota;
  private final Undecided undecided;
  private final boolean asynchronous;
  private final Duration deadline;
  private final Function<HttpServletRequest, ? extends ServletRequestView> requestView;
  private final OccasionalLog failures = new OccasionalLog();
  private final SharedAddressDetector sharedAddress = new SharedAddressDetector();

  private RateLimitFilter(Builder builder) {
    this.rules = new Rules(builder.rules, builder.matching, builder.client);
    this.proxies = builder.client.trustedProxies();
    this.exempt = List.copyOf(builder.exempt);
    this.exemptStatic = builder.exemptStatic;
    this.headers = builder.headers;
    this.exposed = String.join(", ", builder.headers.names());
    this.tellsQuota = builder.tellsQuota;
    this.undecided = builder.undecided;
    this.asynchronous = builder.asynchronous;
    this.deadline = builder.deadline;
    this.requestView = builder.requestView;
  }

  /** Starts a filter without rules. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Registers this filter for all requests of a context, after the filters that are declared, so
   * that it knows who is signed in, and that CORS headers are there when it refuses.
   *
   * @return what was registered
   * @throws IllegalStateException if the context has started, or has a filter of that name
   */
  public FilterRegistration.Dynamic register(ServletContext context) {
    String name = RateLimitFilter.class.getName();
    FilterRegistration.Dynamic registration = context.addFilter(name, this);
    if (registration == null) {
      throw new IllegalStateException(
          "the context has a filter '" + name + "' already; register another one by addFilter");
    }
    registration.setAsyncSupported(true);
    registration.addMappingForUrlPatterns(
        EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC), true, "/*");
    return registration;
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request instanceof HttpServletRequest http
        && response instanceof HttpServletResponse answer) {
      filter(http, answer, chain);
    } else {
      chain.doFilter(request, response);
    }
  }

  private void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    RequestState state = RequestState.of(request);
    if (!state.enter(this)) {
      CompletableFuture<Admission> awaited = state.awaited(this);
      if (awaited == null) {
        chain.doFilter(request, response);
      } else {
        goOn(state, awaited, request, response, chain);
      }
      return;
    }
    CompletableFuture<Admission> answer = ask(request, state);
    if (answer == null) {
      chain.doFilter(request, response);
    } else if (answer.isDone() || !asynchronous || !request.isAsyncSupported()) {
      goOn(state, answer, request, response, chain);
    } else {
      CompletableFuture<Admission> awaited = answer.copy();
      state.await(this, awaited);
      AsyncWait.start(request, response, answer, awaited, deadline);
    }
  }

  /** Asks for a request; {@code null} if it is not limited. */
  private @Nullable CompletableFuture<Admission> ask(
      HttpServletRequest request, RequestState state) {
    if (request.getDispatcherType() == DispatcherType.ERROR) {
      return null;
    }
    try {
      ServletRequestView view = requestView.apply(request);
      if (isExempt(view)) {
        return null;
      }
      noteAddress(view);
      List<Ask> asks = rules.asks(view, state);
      if (asks == null) {
        return CompletableFuture.completedFuture(Admission.ofUnknownClient());
      }
      return asks.isEmpty() ? null : Admission.ask(asks);
    } catch (RuntimeException e) {
      // Of the application's functions for keys and costs; it is told as any failure to decide.
      return CompletableFuture.failedFuture(e);
    }
  }

  private boolean isExempt(ServletRequestView view) {
    RequestClass kind = RequestClass.of(view);
    if (kind == RequestClass.PREFLIGHT || (exemptStatic && kind == RequestClass.STATIC)) {
      return true;
    }
    for (PathPattern pattern : exempt) {
      if (pattern.matches(view.path())) {
        return true;
      }
    }
    return false;
  }

  private void noteAddress(ServletRequestView view) {
    String peer = view.peer();
    if (peer != null && !proxies.sent(view)) {
      sharedAddress.note(peer).ifPresent(OccasionalLog::warn);
    }
  }

  /** Goes on with a request whose answer is there, or is waited for here. */
  private void goOn(
      RequestState state,
      CompletableFuture<Admission> answer,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    Admission admission = await(answer);
    if (admission == null) {
      if (undecided == Undecided.ALLOW) {
        chain.doFilter(request, response);
      } else {
        refuse(request, response, Refusal.ofUndecided());
      }
      return;
    }
    List<Decision> decisions = state.add(admission.decisions());
    if (!admission.isAllowed()) {
      refuse(request, response, refusal(admission, decisions));
      return;
    }
    if (tellsQuota && !decisions.isEmpty()) {
      headers.of(decisions, epochSeconds()).forEach(response::setHeader);
      expose(request, response);
    }
    if (admission.needsFinish()) {
      Completion.follow(admission, request, response, chain);
    } else {
      chain.doFilter(request, response);
    }
  }

  private @Nullable Admission await(CompletableFuture<Admission> answer) {
    try {
      return answer.get(deadline.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      fail("a request could not be decided: " + e.getCause(), e.getCause());
    } catch (TimeoutException e) {
      fail("a request was not decided within " + deadline, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      fail("a request was not decided, since its thread was interrupted", e);
    }
    // What comes too late for this request must not stay charged.
    CompletableFuture<Void> unused = answer.thenAccept(Admission::giveBack);
    return null;
  }

  private void fail(String message, @Nullable Throwable cause) {
    String then = undecided == Undecided.ALLOW ? "; it goes on without a limit" : "; it gets 503";
    failures.log(Level.ERROR, message + then, cause);
  }

  private Refusal refusal(Admission admission, List<Decision> decisions) {
    AdaptiveVerdict verdict = admission.refusingVerdict();
    if (admission.isOfUnknownClient()) {
      return Refusal.ofUnknownClient();
    }
    Refusal refusal =
        verdict != null
            ? Refusal.of(verdict, headers, epochSeconds())
            : Refusal.of(decisions, headers, epochSeconds());
    return tellsQuota ? refusal : withoutQuota(refusal);
  }

  private Refusal withoutQuota(Refusal refusal) {
    Map<String, String> kept = new LinkedHashMap<>(refusal.headers());
    headers.names().stream().filter(it -> !it.equals("Retry-After")).forEach(kept::remove);
    return new Refusal(refusal.status(), kept, refusal.body());
  }

  private void refuse(HttpServletRequest request, HttpServletResponse response, Refusal refusal)
      throws IOException {
    if (!response.isCommitted()) {
      expose(request, response);
    }
    if (!RefusalWriter.write(response, refusal)) {
      failures.log(
          Level.WARNING,
          "a request was refused after a filter before this one had sent its response; put the"
              + " rate limit before what answers",
          new IllegalStateException("the response is committed"));
    }
  }

  private static boolean isCrossOrigin(HttpServletRequest request, HttpServletResponse response) {
    return request.getHeader("Origin") != null
        || response.containsHeader("Access-Control-Allow-Origin");
  }

  /** Lets scripts of other origins read the headers, if they are let in before or after this. */
  private void expose(HttpServletRequest request, HttpServletResponse response) {
    if (isCrossOrigin(request, response)) {
      response.addHeader(EXPOSED, exposed);
    }
  }

  private static long epochSeconds() {
    return System.currentTimeMillis() / 1_000;
  }

  /** Collects a filter. Not safe for use by several threads. */
  public static final class Builder {

    private final List<RateLimitRule> rules = new ArrayList<>();
    private Matching matching = Matching.ALL;
    private ClientIdentity client = ClientIdentity.byAddress();
    private final List<PathPattern> exempt = new ArrayList<>();
    private boolean exemptStatic;
    private RateLimitHeaders headers = RateLimitHeaders.standard();
    private boolean tellsQuota = true;
    private Undecided undecided = Undecided.REFUSE;
    private boolean asynchronous;
    private Duration deadline = DEFAULT_DEADLINE;
    private Function<HttpServletRequest, ? extends ServletRequestView> requestView =
        ServletRequestView::new;

    private Builder() {}

    /** Adds a rule. */
    public Builder rule(RateLimitRule rule) {
      rules.add(Objects.requireNonNull(rule, "rule"));
      return this;
    }

    /** Which of the rules that match are applied; {@link Matching#ALL} by default. */
    public Builder matching(Matching matching) {
      this.matching = Objects.requireNonNull(matching, "matching");
      return this;
    }

    /** Who a request is from, for rules that do not say; its address by default. */
    public Builder client(ClientIdentity client) {
      this.client = Objects.requireNonNull(client, "client");
      return this;
    }

    /**
     * Does not limit requests of these paths, such as {@code /health}.
     *
     * @throws IllegalArgumentException if one is no {@link PathPattern}
     */
    public Builder exempt(String... patterns) {
      for (String pattern : patterns) {
        exempt.add(PathPattern.parse(pattern));
      }
      return this;
    }

    /**
     * Does not limit GET and HEAD of what looks like a file of a page: a style, script, picture or
     * font. Not for applications with a route that takes any last segment: {@code /search/x.css}
     * would not be limited.
     */
    public Builder exemptStaticFiles() {
      this.exemptStatic = true;
      return this;
    }

    /** The headers with the quota; {@link RateLimitHeaders#standard()} by default. */
    public Builder headers(RateLimitHeaders headers) {
      this.headers = Objects.requireNonNull(headers, "headers");
      return this;
    }

    /** Sends no quota; a refusal says when to come again. */
    public Builder withoutQuotaHeaders() {
      this.tellsQuota = false;
      return this;
    }

    /** What becomes of a request if nobody can decide; {@link Undecided#REFUSE} by default. */
    public Builder whenUndecided(Undecided undecided) {
      this.undecided = Objects.requireNonNull(undecided, "undecided");
      return this;
    }

    /**
     * Whether the container's thread is given back while Redis is asked, where the container and
     * all filters before this one support that; {@code false} by default. The request then comes
     * back as a dispatch of type ASYNC: filters <em>after</em> this one that are not mapped for
     * that type, or skip it, do not see the request at all. So put this filter last, as {@link
     * RateLimitFilter#register} does.
     */
    public Builder asynchronous(boolean asynchronous) {
      this.asynchronous = asynchronous;
      return this;
    }

    /**
     * How long an answer is waited for at most; {@link #DEFAULT_DEADLINE} by default. Limiters
     * answer within their own time budget, which must be shorter, so that their failure mode
     * decides; this is for those that do not.
     *
     * @throws IllegalArgumentException if not from 1 ms to 1 minute
     */
    public Builder deadline(Duration deadline) {
      if (deadline.compareTo(Duration.ofMillis(1)) < 0
          || deadline.compareTo(Duration.ofMinutes(1)) > 0) {
        throw new IllegalArgumentException(
            "deadline must be from 1 ms to 1 minute, and was " + deadline);
      }
      this.deadline = deadline;
      return this;
    }

    /** How requests are looked at: for the route or the claims that a framework knows. */
    public Builder requestView(
        Function<HttpServletRequest, ? extends ServletRequestView> requestView) {
      this.requestView = Objects.requireNonNull(requestView, "requestView");
      return this;
    }

    /**
     * Makes the filter.
     *
     * @throws IllegalArgumentException if there is no rule, or if two limiters have policies of one
     *     name, by which charges are told apart
     */
    public RateLimitFilter build() {
      if (rules.isEmpty()) {
        throw new IllegalArgumentException(
            "a filter needs a rule, such as RateLimitRule.of(limiter)");
      }
      checkPolicies();
      return new RateLimitFilter(this);
    }

    private void checkPolicies() {
      Map<String, Object> limiters = new LinkedHashMap<>();
      for (RateLimitRule rule : rules) {
        String name = rule.policy().name();
        Object before = limiters.putIfAbsent(name, rule.limiterObject());
        if (before != null && before != rule.limiterObject()) {
          throw new IllegalArgumentException(
              "two rules have limiters of a policy '%s'; give each policy its own name, or both"
                      .formatted(name)
                  + " rules the same limiter");
        }
      }
    }
  }
}
