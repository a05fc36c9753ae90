package dev.weir.spring.gateway;

import dev.weir.Decision;
import dev.weir.RateLimiterException;
import dev.weir.http.RateLimitHeaders;
import dev.weir.http.Refusal;
import dev.weir.spring.RateLimiters;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.filter.ratelimit.AbstractRateLimiter;
import org.springframework.cloud.gateway.support.ConfigurationService;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The limiter of Spring Cloud Gateway's filter {@code RequestRateLimiter}: asks for one permit, or
 * the cost, of the key that the gateway's {@code KeyResolver} gives, under the policy that the
 * route names.
 */
public final class WeirGatewayRateLimiter
    extends AbstractRateLimiter<WeirGatewayRateLimiter.Config> {

  /** What the arguments of the filter start with: {@code weir.policy}, {@code weir.cost}. */
  public static final String CONFIGURATION_PREFIX = "weir";

  private static final System.Logger LOG = System.getLogger(WeirGatewayRateLimiter.class.getName());

  private final RateLimiters limiters;
  private final RateLimitHeaders headers;

  /** Makes it. */
  public WeirGatewayRateLimiter(
      RateLimiters limiters,
      RateLimitHeaders headers,
      @Nullable ConfigurationService configuration) {
    super(Config.class, CONFIGURATION_PREFIX, configuration);
    this.limiters = limiters;
    this.headers = headers;
  }

  @Override
  public Mono<Response> isAllowed(String routeId, String id) {
    Config config = getConfig().get(routeId);
    String policy = config == null || config.getPolicy() == null ? routeId : config.getPolicy();
    long cost = config == null ? 1 : config.getCost();
    return Mono.fromFuture(() -> limiters.get(policy).tryAcquireAsync(id, cost), true)
        .publishOn(Schedulers.parallel())
        .map(this::response)
        .onErrorResume(
            RateLimiterException.class,
            failure -> {
              LOG.log(System.Logger.Level.ERROR, "a request could not be decided", failure);
              return Mono.just(new Response(false, Refusal.ofUndecided().headers()));
            });
  }

  private Response response(Decision decision) {
    Map<String, String> sent = headers.of(decision, System.currentTimeMillis() / 1_000);
    return new Response(decision.allowed(), sent);
  }

  /** What a route sets. */
  public static final class Config {

    private @Nullable String policy;
    private long cost = 1;

    /** The policy of the route's own name, one permit. */
    public Config() {}

    /** The name of the policy; {@code null} for that of the route's id. */
    public @Nullable String getPolicy() {
      return policy;
    }

    /** Sets the name of the policy. */
    public void setPolicy(@Nullable String policy) {
      this.policy = policy;
    }

    /** How many permits a request takes. */
    public long getCost() {
      return cost;
    }

    /** Sets how many permits a request takes. */
    public void setCost(long cost) {
      this.cost = cost;
    }
  }
}
