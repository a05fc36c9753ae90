package dev.weir.spring.autoconfigure;

import dev.weir.http.ClientIdentity;
import dev.weir.http.TrustedProxies;
import dev.weir.spring.web.HttpHeadersForm;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the starter. A property that there is not is an error when the application
 * starts, so that a limit is never missing for a misspelt word.
 *
 * @param enabled Whether anything of Weir is started.
 * @param store Where the state of limits is.
 * @param redis What concerns Redis.
 * @param maxKeys How many keys each limiter in memory keeps at most.
 * @param http What concerns HTTP requests.
 * @param policies The policies by name.
 */
@ConfigurationProperties(prefix = "weir", ignoreUnknownFields = false)
public record WeirProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("auto") Store store,
    @DefaultValue Redis redis,
    @DefaultValue("1000000") int maxKeys,
    @DefaultValue Http http,
    @DefaultValue Map<String, Policy> policies) {

  /** Where state is. */
  public enum Store {
    /** In Redis if the application has a connection factory for it, otherwise in memory. */
    AUTO,
    /** In Redis. */
    REDIS,
    /** In the memory of this process. */
    MEMORY
  }

  /**
   * What concerns Redis.
   *
   * @param keyPrefix What the names of keys start with; "weir:" and spring.application.name unless
   *     set. Applications with the same prefix share limits of the same name.
   * @param timeout The time budget of a decision.
   * @param hashKeys Whether only hashes of keys get into Redis.
   */
  public record Redis(
      @Nullable String keyPrefix,
      @DefaultValue("100ms") Duration timeout,
      @DefaultValue("false") boolean hashKeys) {}

  /**
   * What concerns HTTP requests.
   *
   * @param enabled Whether requests are limited by the policies with a match.
   * @param order The order of the filter: after Spring Security, which has -100.
   * @param headers Which headers tell the quota: legacy, ietf.
   * @param legacyReset Whether X-RateLimit-Reset is epoch seconds or the seconds until then.
   * @param exempt Paths that are never limited, such as /actuator/**.
   * @param trustedProxies Addresses or ranges of the proxies in front of the application.
   * @param proxyHeader The header in which they say who the client is.
   * @param ipv6Prefix How many bits of an IPv6 address name a client.
   * @param missing What becomes of a request if it cannot be told who it is from.
   */
  public record Http(
      @DefaultValue("true") boolean enabled,
      @DefaultValue("-90") int order,
      @DefaultValue({"legacy", "ietf"}) List<HttpHeadersForm> headers,
      @DefaultValue("epoch") HttpHeadersForm.Reset legacyReset,
      @DefaultValue List<String> exempt,
      @DefaultValue List<String> trustedProxies,
      @DefaultValue("x-forwarded-for") TrustedProxies.Header proxyHeader,
      @DefaultValue("64") int ipv6Prefix,
      @DefaultValue("anonymous-by-address") ClientIdentity.Missing missing) {}

  /**
   * A policy.
   *
   * @param match Paths of requests to limit, such as /api/**; none if only used in code.
   * @param methods HTTP methods to limit; all unless set.
   * @param key Whom to charge, the first that can be told of: address, principal, everybody,
   *     proxy-header:NAME, bean:NAME.
   * @param cost How many permits a request takes.
   * @param perRoute Whether each route has a limit of its own.
   * @param limits The limits, all of which have to admit a call.
   * @param failureMode What answers if Redis does not: open, closed or local.
   * @param localShare The share of the limits for this process while Redis does not answer.
   * @param plans Other limits by the name of a plan, for a PlanResolver.
   */
  public record Policy(
      @DefaultValue List<String> match,
      @DefaultValue List<String> methods,
      @DefaultValue("address") List<String> key,
      @DefaultValue("1") long cost,
      @DefaultValue("false") boolean perRoute,
      @DefaultValue List<LimitProperties> limits,
      @Nullable String failureMode,
      @Nullable Double localShare,
      @DefaultValue Map<String, Plan> plans) {}

  /**
   * Limits of a plan.
   *
   * @param limits The limits, in place of those of the policy.
   */
  public record Plan(@DefaultValue List<LimitProperties> limits) {}

  /**
   * A limit; which fields it has depends on its algorithm.
   *
   * @param name Its name in answers and metrics.
   * @param algorithm token-bucket, fixed-window, sliding-window-log, sliding-window-counter,
   *     leaky-bucket, concurrency or calendar-window.
   * @param capacity Of a bucket: how many permits it holds.
   * @param refillTokens Of a token bucket: how many tokens arrive in a period.
   * @param refillPeriod Of a token bucket: the period, such as 1m.
   * @param refill Of a token bucket: smooth or interval.
   * @param limit Of a window: how many permits.
   * @param window Of a window: its length, such as 1h.
   * @param alignment Of a fixed window: first-charge or clock.
   * @param leakPermits Of a leaky bucket: how many permits leak in a period.
   * @param leakPeriod Of a leaky bucket: the period.
   * @param mode Of a leaky bucket: policing or shaping.
   * @param permits Of concurrency: how many calls at once.
   * @param lease Of concurrency: after how long a permit is free in any case.
   * @param unit Of a calendar window: hour, day, week, week-from-sunday, month or year.
   * @param zone Of a calendar window: its time zone.
   */
  public record LimitProperties(
      @Nullable String name,
      @Nullable String algorithm,
      @Nullable Long capacity,
      @Nullable Long refillTokens,
      @Nullable String refillPeriod,
      @Nullable String refill,
      @Nullable Long limit,
      @Nullable String window,
      @Nullable String alignment,
      @Nullable Long leakPermits,
      @Nullable String leakPeriod,
      @Nullable String mode,
      @Nullable Long permits,
      @Nullable String lease,
      @Nullable String unit,
      @Nullable String zone) {}
}
