package dev.weir.spring.autoconfigure;

import dev.weir.http.RateLimitHeaders;
import dev.weir.spring.RateLimiters;
import dev.weir.spring.gateway.WeirGatewayRateLimiter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.cloud.gateway.filter.ratelimit.AbstractRateLimiter;
import org.springframework.cloud.gateway.support.ConfigurationService;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** The limiter of Spring Cloud Gateway, before the gateway looks for one. */
@AutoConfiguration(
    after = WeirAutoConfiguration.class,
    beforeName = {
      "org.springframework.cloud.gateway.config.GatewayAutoConfiguration",
      "org.springframework.cloud.gateway.config.GatewayRedisAutoConfiguration"
    })
@ConditionalOnClass(AbstractRateLimiter.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnBean(RateLimiters.class)
public class WeirGatewayAutoConfiguration {

  /** Made by Spring. */
  public WeirGatewayAutoConfiguration() {}

  @Bean
  @Primary
  @ConditionalOnMissingBean
  WeirGatewayRateLimiter weirGatewayRateLimiter(
      RateLimiters limiters,
      RateLimitHeaders headers,
      ObjectProvider<ConfigurationService> configuration) {
    return new WeirGatewayRateLimiter(limiters, headers, configuration.getIfAvailable());
  }
}
