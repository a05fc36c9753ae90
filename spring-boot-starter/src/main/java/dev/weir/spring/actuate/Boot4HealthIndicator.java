package dev.weir.spring.actuate;

import dev.weir.spring.RateLimiters;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** The health of limits for Spring Boot 4. */
public final class Boot4HealthIndicator extends AbstractHealthIndicator {

  private final RateLimiters limiters;

  /** Makes it. */
  public Boot4HealthIndicator(RateLimiters limiters) {
    super("the health of rate limits could not be told");
    this.limiters = limiters;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    LimiterHealth health = LimiterHealth.of(limiters);
    (health.isUp() ? builder.up() : builder.down()).withDetails(health.details());
  }
}
