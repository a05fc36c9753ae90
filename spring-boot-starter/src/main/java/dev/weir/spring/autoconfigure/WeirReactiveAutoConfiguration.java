package dev.weir.spring.autoconfigure;

import dev.weir.http.RateLimitHeaders;
import dev.weir.spring.web.FluxRefusals;
import dev.weir.spring.web.HttpRules;
import dev.weir.spring.web.RateLimitWebFilter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.reactive.HandlerMapping;

/** Limits of requests in an application on WebFlux. */
@AutoConfiguration(after = WeirAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(HandlerMapping.class)
@ConditionalOnBean(HttpRules.class)
public class WeirReactiveAutoConfiguration {

  /** Made by Spring. */
  public WeirReactiveAutoConfiguration() {}

  @Bean
  FluxRefusals weirFluxRefusals(RateLimitHeaders headers, ObjectProvider<HandlerMapping> mappings) {
    return new FluxRefusals(headers, () -> mappings.orderedStream().toList());
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnProperty(name = "weir.http.enabled", havingValue = "true", matchIfMissing = true)
  RateLimitWebFilter weirRateLimitWebFilter(
      HttpRules rules, FluxRefusals refusals, RateLimitHeaders headers, WeirProperties properties) {
    return new RateLimitWebFilter(rules, refusals, headers, properties.http().order());
  }
}
