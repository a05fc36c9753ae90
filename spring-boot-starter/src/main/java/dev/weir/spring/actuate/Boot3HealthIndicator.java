package dev.weir.spring.actuate;

import dev.weir.spring.RateLimiters;
import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;

/** The health of limits for Spring Boot 3. */
public final class Boot3HealthIndicator extends AbstractHealthIndicator {

  private final RateLimiters limiters;

  /** Makes it. */
  public Boot3HealthIndicator(RateLimiters limiters) {
    super("the health of rate limits could not be told");
    this.limiters = limiters;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    LimiterHealth health = LimiterHealth.of(limiters);
    (health.isUp() ? builder.up() : builder.down()).withDetails(health.details());
  }
}
