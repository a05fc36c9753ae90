package dev.weir.spring.it;

import dev.weir.Decision;
import dev.weir.spring.PlanResolver;
import dev.weir.spring.RateLimited;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

/** What the applications of both kinds have. */
@Configuration(proxyBeanMethods = false)
class Services {

  /** Five of each of these a minute. */
  static final String[] POLICIES = {
    "weir.store=memory",
    "weir.policies.api.match=/api/**",
    "weir.policies.api.limits[0].algorithm=token-bucket",
    "weir.policies.api.limits[0].capacity=10",
    "weir.policies.api.limits[0].refill-tokens=10",
    "weir.policies.api.limits[0].refill-period=1m",
    "weir.policies.method.limits[0].algorithm=fixed-window",
    "weir.policies.method.limits[0].limit=5",
    "weir.policies.method.limits[0].window=1h",
    "weir.policies.method.plans.gold.limits[0].algorithm=fixed-window",
    "weir.policies.method.plans.gold.limits[0].limit=8",
    "weir.policies.method.plans.gold.limits[0].window=1h",
    "weir.policies.busy.limits[0].algorithm=concurrency",
    "weir.policies.busy.limits[0].permits=1",
    "weir.policies.busy.limits[0].lease=1m",
  };

  @Bean
  Searches searches() {
    return new Searches();
  }

  @Bean
  PlanResolver plans() {
    return (policy, key) -> key.startsWith("gold") ? Optional.of("gold") : Optional.empty();
  }

  /** A service with limited methods. */
  static class Searches {

    @RateLimited(policy = "method", key = "#user")
    public String find(String user) {
      return "found";
    }

    @RateLimited(policy = "method", key = "'cost:' + #p0", cost = "#p1")
    public String weigh(String user, int weight) {
      return "weighed";
    }

    @RateLimited(policy = "method", key = "'stand-in:' + #user", fallback = "cached")
    public String findOrCached(String user) {
      return "found";
    }

    public String cached(String user, Decision refusal) {
      return "cached since " + refusal.limitedBy().orElseThrow();
    }

    @RateLimited(policy = "method", key = "'later:' + #user")
    public CompletableFuture<String> later(String user) {
      return CompletableFuture.completedFuture("found");
    }

    @RateLimited(policy = "method", key = "'mono:' + #user")
    public Mono<String> mono(String user) {
      return Mono.just("found");
    }

    @RateLimited(policy = "busy", key = "#user")
    public String hold(String user, Runnable meanwhile) {
      meanwhile.run();
      return "held";
    }
  }
}
