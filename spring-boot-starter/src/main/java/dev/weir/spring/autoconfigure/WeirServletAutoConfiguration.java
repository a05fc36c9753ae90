package dev.weir.spring.autoconfigure;

import dev.weir.http.RateLimitHeaders;
import dev.weir.servlet.RateLimitFilter;
import dev.weir.servlet.RateLimitRule;
import dev.weir.spring.web.HttpRule;
import dev.weir.spring.web.HttpRules;
import dev.weir.spring.web.MvcCorsFilter;
import dev.weir.spring.web.MvcRefusals;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.handler.HandlerMappingIntrospector;

/** Limits of requests in an application on servlets. */
@AutoConfiguration(after = WeirAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(Filter.class)
@ConditionalOnBean(HttpRules.class)
public class WeirServletAutoConfiguration {

  /** Made by Spring. */
  public WeirServletAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnProperty(name = "weir.http.enabled", havingValue = "true", matchIfMissing = true)
  RateLimitFilter weirRateLimitFilter(
      HttpRules rules, ObjectProvider<RateLimitRule> more, RateLimitHeaders headers) {
    RateLimitFilter.Builder builder =
        RateLimitFilter.builder().client(rules.client()).headers(headers);
    rules.exempt().forEach(pattern -> builder.exempt(pattern.toString()));
    rules.rules().forEach(rule -> builder.rule(servletRule(rule)));
    more.orderedStream().forEach(builder::rule);
    return builder.build();
  }

  private static RateLimitRule servletRule(HttpRule rule) {
    RateLimitRule.Builder builder =
        RateLimitRule.builder(rule.limiter())
            .paths(rule.paths().stream().map(Object::toString).toArray(String[]::new))
            .methods(rule.methods().toArray(String[]::new))
            .cost(request -> rule.cost());
    if (rule.client() == null) {
      builder.sharedByAll();
    } else {
      builder.client(rule.client());
    }
    if (rule.perRoute()) {
      builder.perRoute();
    }
    return builder.build();
  }

  @Bean
  @ConditionalOnBean(RateLimitFilter.class)
  FilterRegistrationBean<RateLimitFilter> weirRateLimitFilterRegistration(
      RateLimitFilter filter, WeirProperties properties) {
    FilterRegistrationBean<RateLimitFilter> registration = new FilterRegistrationBean<>(filter);
    registration.setOrder(properties.http().order());
    registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
    registration.setAsyncSupported(true);
    return registration;
  }

  /** What needs Spring MVC. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(DispatcherServlet.class)
  static class Mvc {

    @Bean
    MvcRefusals weirMvcRefusals(RateLimitHeaders headers) {
      return new MvcRefusals(headers);
    }

    // The filter is asked for when requests come: this is made before the beans around it.
    @Bean
    FilterRegistrationBean<MvcCorsFilter> weirCorsFilterRegistration(
        ObjectProvider<RateLimitFilter> filter,
        ObjectProvider<HandlerMappingIntrospector> handlers,
        WeirProperties properties) {
      CorsConfigurationSource source =
          request -> {
            HandlerMappingIntrospector introspector = handlers.getIfAvailable();
            return introspector == null || filter.getIfAvailable() == null
                ? null
                : introspector.getCorsConfiguration(request);
          };
      FilterRegistrationBean<MvcCorsFilter> registration =
          new FilterRegistrationBean<>(new MvcCorsFilter(source));
      registration.setOrder(properties.http().order() - 1);
      return registration;
    }
  }
}
