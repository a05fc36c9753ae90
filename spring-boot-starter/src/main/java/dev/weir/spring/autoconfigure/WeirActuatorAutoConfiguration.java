package dev.weir.spring.autoconfigure;

import dev.weir.RateLimiterListener;
import dev.weir.micrometer.MicrometerListener;
import dev.weir.spring.RateLimiters;
import dev.weir.spring.actuate.Boot3HealthIndicator;
import dev.weir.spring.actuate.Boot4HealthIndicator;
import dev.weir.spring.actuate.RateLimitsEndpoint;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What can be seen of limits: the actuator's endpoint and health, and metrics. */
@AutoConfiguration(
    after = WeirAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.actuate.autoconfigure.metrics"
          + ".CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure"
          + ".CompositeMeterRegistryAutoConfiguration"
    })
@ConditionalOnBean(RateLimiters.class)
public class WeirActuatorAutoConfiguration {

  /** Made by Spring. */
  public WeirActuatorAutoConfiguration() {}

  /** The endpoint. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
  static class Endpoints {

    @Bean
    @ConditionalOnAvailableEndpoint(endpoint = RateLimitsEndpoint.class)
    RateLimitsEndpoint weirRateLimitsEndpoint(RateLimiters limiters) {
      return new RateLimitsEndpoint(limiters);
    }
  }

  /** Health in Spring Boot 3. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
  @ConditionalOnProperty(
      name = "management.health.weir.enabled",
      havingValue = "true",
      matchIfMissing = true)
  static class Boot3Health {

    @Bean
    Boot3HealthIndicator weirHealthIndicator(RateLimiters limiters) {
      return new Boot3HealthIndicator(limiters);
    }
  }

  /** Health in Spring Boot 4. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
  @ConditionalOnProperty(
      name = "management.health.weir.enabled",
      havingValue = "true",
      matchIfMissing = true)
  static class Boot4Health {

    @Bean
    Boot4HealthIndicator weirHealthIndicator(RateLimiters limiters) {
      return new Boot4HealthIndicator(limiters);
    }
  }

  /** Metrics. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterRegistry.class)
  static class Metrics {

    @Bean
    RateLimiterListener weirMicrometerListener(ObjectProvider<MeterRegistry> registry) {
      MeterRegistry found = registry.getIfAvailable();
      return found == null ? RateLimiterListener.NONE : new MicrometerListener(found);
    }
  }
}
