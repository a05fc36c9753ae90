package dev.weir.servlet;

import dev.weir.Concurrency;
import dev.weir.FailureMode;
import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterException;
import dev.weir.TokenBucket;
import dev.weir.adaptive.AdaptivePolicy;
import dev.weir.adaptive.AddressRule;
import dev.weir.adaptive.BotCheck;
import dev.weir.adaptive.Cidr;
import dev.weir.adaptive.Ruling;
import dev.weir.http.ClientIdentity;
import dev.weir.http.IdentitySource;
import dev.weir.http.TrustedProxies;
import dev.weir.local.LocalAdaptiveRateLimiter;
import dev.weir.local.LocalOverrideStore;
import dev.weir.local.LocalRateLimiter;
import dev.weir.local.PrecedenceRateLimiter;
import dev.weir.redis.LettuceRateLimiter;
import dev.weir.testkit.StubRateLimiter;
import io.lettuce.core.RedisClient;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The contexts that each container runs, one for each way to use the filter. Clients are told apart
 * by the last address of {@code X-Forwarded-For}, so that each test has clients of its own.
 */
public final class TestApp {

  /** The system property with the Redis of the context {@code redis}. */
  public static final String REDIS = "weir.test.redis";

  /** The same for {@code open}, {@code closed} and {@code local}, whose Redis is killed. */
  public static final String MORTAL_REDIS = "weir.test.redis.mortal";

  /** The statuses that have an error page. */
  static final int[] ERROR_PAGES = {404, 429, 500};

  private static final EnumSet<DispatcherType> EVERY = EnumSet.allOf(DispatcherType.class);
  private static final Executor LATER =
      CompletableFuture.delayedExecutor(30, TimeUnit.MILLISECONDS);
  private static final RateLimitPolicy TEN =
      RateLimitPolicy.of("api", FixedWindow.of(10, Duration.ofHours(1)));
  private static final RateLimitPolicy MUCH =
      RateLimitPolicy.of("much", TokenBucket.smooth(1_000_000, 1_000_000, Duration.ofSeconds(1)));
  private static final Map<String, Consumer<ServletContext>> CONTEXTS = new LinkedHashMap<>();

  static {
    CONTEXTS.put("plain", it -> everywhere(it, "limit", filter(tenAnHour("api")).build()));
    CONTEXTS.put("registered", it -> filter(tenAnHour("api")).build().register(it));
    CONTEXTS.put(
        "async", it -> filter(late(tenAnHour("api"))).asynchronous(true).build().register(it));
    CONTEXTS.put("blocking", TestApp::withoutAsync);
    CONTEXTS.put("twice", TestApp::twice);
    CONTEXTS.put("two", TestApp::two);
    CONTEXTS.put("several", TestApp::several);
    CONTEXTS.put("cors", TestApp::cors);
    CONTEXTS.put("hold", it -> filter(oneAtATime()).build().register(it));
    CONTEXTS.put("adaptive", TestApp::adaptive);
    CONTEXTS.put("redis", it -> filter(onRedis(it, TEN)).asynchronous(true).build().register(it));
    CONTEXTS.put("broken", it -> filter(broken()).build().register(it));
    CONTEXTS.put(
        "broken-open",
        it -> filter(broken()).whenUndecided(RateLimitFilter.Undecided.ALLOW).build().register(it));
    CONTEXTS.put("hanging", TestApp::hanging);
    CONTEXTS.put("routes", TestApp::routes);
    CONTEXTS.put("committed", TestApp::committed);
    CONTEXTS.put("nobody", TestApp::nobody);
    CONTEXTS.put("overridden", TestApp::overridden);
    CONTEXTS.put("bad-cost", TestApp::badCost);
    CONTEXTS.put("open", it -> failing(it, FailureMode.open()));
    CONTEXTS.put("closed", it -> failing(it, FailureMode.closed()));
    CONTEXTS.put("local", it -> failing(it, FailureMode.local(0.5)));
    CONTEXTS.put("assets", it -> filter(tenAnHour("api")).exemptStaticFiles().build().register(it));
    CONTEXTS.put("bare", it -> {});
    CONTEXTS.put("cost-memory", it -> filter(LocalRateLimiter.create(MUCH)).build().register(it));
    CONTEXTS.put("cost-redis", it -> filter(onRedis(it, MUCH)).build().register(it));
    CONTEXTS.put(
        "cost-redis-async",
        it -> filter(onRedis(it, MUCH)).asynchronous(true).build().register(it));
  }

  private TestApp() {}

  static Iterable<String> contexts() {
    return CONTEXTS.keySet();
  }

  static void configure(String name, ServletContext context) {
    TestServlets.addTo(context);
    Objects.requireNonNull(CONTEXTS.get(name)).accept(context);
  }

  private static RateLimiter tenAnHour(String policy) {
    return LocalRateLimiter.create(
        RateLimitPolicy.of(policy, FixedWindow.of(10, Duration.ofHours(1))));
  }

  private static RateLimiter oneAtATime() {
    return LocalRateLimiter.create(
        RateLimitPolicy.of("one", Concurrency.of(1, Duration.ofMinutes(1))));
  }

  private static RateLimiter late(RateLimiter limiter) {
    return StubRateLimiter.of(limiter.policy())
        .answer(
            call ->
                CompletableFuture.supplyAsync(
                    () -> limiter.tryAcquire(call.key(), call.permits()), LATER));
  }

  private static RateLimiter broken() {
    return StubRateLimiter.allowing()
        .fail(new RateLimiterException("broken on purpose: NOAUTH", null));
  }

  private static RateLimiter onRedis(ServletContext context, RateLimitPolicy policy) {
    return onRedis(context, policy, REDIS);
  }

  private static RateLimiter onRedis(
      ServletContext context, RateLimitPolicy policy, String property) {
    // Its events for Java's flight recorder know one class loader only.
    System.setProperty("io.lettuce.core.jfr", "false");
    RedisClient client = RedisClient.create(System.getProperty(property));
    context.addListener(
        new ServletContextListener() {
          @Override
          public void contextDestroyed(ServletContextEvent event) {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
          }
        });
    return LettuceRateLimiter.builder(client, policy).timeout(Duration.ofSeconds(2)).build();
  }

  private static ClientIdentity behindProxy() {
    return ClientIdentity.builder()
        .trustedProxies(TrustedProxies.of("127.0.0.0/8"))
        .source(IdentitySource.address())
        .build();
  }

  private static RateLimitFilter.Builder filter(RateLimiter limiter) {
    return RateLimitFilter.builder().client(behindProxy()).rule(RateLimitRule.of(limiter));
  }

  private static FilterRegistration.Dynamic everywhere(
      ServletContext context, String name, Filter filter) {
    FilterRegistration.Dynamic registration = context.addFilter(name, filter);
    registration.setAsyncSupported(true);
    registration.addMappingForUrlPatterns(EVERY, true, "/*");
    return registration;
  }

  private static void withoutAsync(ServletContext context) {
    RateLimitFilter filter = filter(late(tenAnHour("api"))).asynchronous(true).build();
    everywhere(context, "limit", filter).setAsyncSupported(false);
  }

  private static void twice(ServletContext context) {
    RateLimiter limiter = tenAnHour("api");
    RateLimitFilter filter = filter(limiter).build();
    everywhere(context, "first", filter);
    everywhere(
        context, "again", (request, response, chain) -> filter.doFilter(request, response, chain));
    everywhere(context, "another", filter(limiter).build());
  }

  private static void two(ServletContext context) {
    everywhere(context, "ten", filter(tenAnHour("ten")).build());
    RateLimiter twelve =
        LocalRateLimiter.create(
            RateLimitPolicy.of("twelve", FixedWindow.of(12, Duration.ofHours(1))));
    everywhere(context, "twelve", filter(twelve).build());
  }

  private static void several(ServletContext context) {
    RateLimiter shared =
        LocalRateLimiter.create(
            RateLimitPolicy.of("shared", FixedWindow.of(15, Duration.ofHours(1))));
    everywhere(
        context,
        "limit",
        filter(tenAnHour("each"))
            .rule(RateLimitRule.builder(shared).sharedByAll().paths("/ok").build())
            .build());
  }

  private static void cors(ServletContext context) {
    everywhere(
        context,
        "cors",
        (request, response, chain) -> {
          ((HttpServletResponse) response).setHeader("Access-Control-Allow-Origin", "https://a.b");
          chain.doFilter(request, response);
        });
    everywhere(context, "limit", filter(tenAnHour("api")).exempt("/verify/**").build());
  }

  private static void adaptive(ServletContext context) {
    LocalAdaptiveRateLimiter limiter =
        LocalAdaptiveRateLimiter.create(
            RateLimitPolicy.of("api", FixedWindow.of(100_000, Duration.ofHours(1))),
            AdaptivePolicy.builder().mode(AdaptivePolicy.Mode.ENFORCE).build());
    context.addServlet("tier", new TierServlet(limiter)).addMapping("/tier");
    everywhere(
        context,
        "limit",
        RateLimitFilter.builder()
            .client(behindProxy())
            .exempt("/tier")
            .rule(RateLimitRule.builder(limiter).build())
            .build());
  }

  private static void overridden(ServletContext context) {
    LocalOverrideStore overrides = LocalOverrideStore.create();
    Ruling unused =
        overrides.setAsync(AddressRule.deny(Cidr.parse("203.0.113.0/24"), "test", "abuse")).join();
    LocalAdaptiveRateLimiter limiter =
        LocalAdaptiveRateLimiter.create(TEN, AdaptivePolicy.standard());
    RateLimitRule rule =
        RateLimitRule.builder(PrecedenceRateLimiter.of(limiter, overrides, BotCheck.NONE)).build();
    RateLimitFilter.builder().client(behindProxy()).rule(rule).build().register(context);
  }

  private static void hanging(ServletContext context) {
    RateLimiter limiter = StubRateLimiter.allowing().hang();
    filter(limiter).asynchronous(true).deadline(Duration.ofMillis(100)).build().register(context);
  }

  private static void routes(ServletContext context) {
    RateLimiter login =
        LocalRateLimiter.create(
            RateLimitPolicy.of("login", FixedWindow.of(3, Duration.ofHours(1))));
    RateLimiter perRoute =
        LocalRateLimiter.create(
            RateLimitPolicy.of("route", FixedWindow.of(5, Duration.ofHours(1))));
    everywhere(
        context,
        "limit",
        RateLimitFilter.builder()
            .client(behindProxy())
            .rule(RateLimitRule.builder(login).paths("/login").methods("POST").build())
            .rule(
                RateLimitRule.builder(perRoute)
                    .when(
                        request ->
                            request.method().equals("GET") || request.method().equals("HEAD"))
                    .perRoute()
                    .build())
            .build());
  }

  private static void committed(ServletContext context) {
    everywhere(
        context,
        "early",
        (request, response, chain) -> {
          response.getWriter().write("early");
          if (request.getParameter("flush") != null) {
            response.flushBuffer();
          }
          chain.doFilter(request, response);
        });
    everywhere(context, "limit", filter(tenAnHour("api")).build());
  }

  private static void failing(ServletContext context, FailureMode mode) {
    RateLimitPolicy policy =
        RateLimitPolicy.builder("api")
            .limit(FixedWindow.of(10, Duration.ofHours(1)))
            .failureMode(mode)
            .build();
    RateLimiter limiter = onRedis(context, policy, MORTAL_REDIS);
    filter(limiter).asynchronous(true).build().register(context);
  }

  private static void badCost(ServletContext context) {
    RateLimitRule rule =
        RateLimitRule.builder(tenAnHour("api"))
            .cost(request -> Long.parseLong(String.valueOf(request.header("X-Cost"))))
            .build();
    RateLimitFilter.builder().client(behindProxy()).rule(rule).build().register(context);
  }

  private static void nobody(ServletContext context) {
    ClientIdentity users = ClientIdentity.builder().source(IdentitySource.principal()).build();
    everywhere(
        context,
        "limit",
        RateLimitFilter.builder().client(users).rule(RateLimitRule.of(tenAnHour("api"))).build());
  }
}
