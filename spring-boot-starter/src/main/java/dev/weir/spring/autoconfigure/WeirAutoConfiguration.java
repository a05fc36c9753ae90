package dev.weir.spring.autoconfigure;

import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterListener;
import dev.weir.TimeSource;
import dev.weir.http.ClientIdentity;
import dev.weir.http.IdentitySource;
import dev.weir.http.RateLimitHeaders;
import dev.weir.redis.RedisRateLimiter;
import dev.weir.spring.PlanResolver;
import dev.weir.spring.RateLimiters;
import dev.weir.spring.aop.RateLimitedPostProcessor;
import dev.weir.spring.web.HttpHeadersForm;
import dev.weir.spring.web.HttpRules;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/** The limiters of an application, and limits of methods. */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
      "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
    })
@ConditionalOnProperty(name = "weir.enabled", havingValue = "true", matchIfMissing = true)
@EnableConfigurationProperties(WeirProperties.class)
@ImportRuntimeHints(WeirRuntimeHints.class)
public class WeirAutoConfiguration {

  private static final System.Logger LOG = System.getLogger(WeirAutoConfiguration.class.getName());

  /** Made by Spring. */
  public WeirAutoConfiguration() {}

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  LimiterStore weirLimiterStore(
      WeirProperties properties,
      ObjectProvider<TimeSource> time,
      ObjectProvider<RateLimiterListener> listeners,
      BeanFactory beans,
      Environment environment) {
    RateLimiterListener listener = Listeners.of(listeners.orderedStream().toList());
    return Stores.choose(properties, time.getIfUnique(), listener, beans, environment);
  }

  @Bean
  @ConditionalOnMissingBean
  RateLimiters rateLimiters(
      LimiterStore store,
      WeirProperties properties,
      ObjectProvider<RateLimitPolicy> policies,
      ObjectProvider<PlanResolver> resolver) {
    PlanResolver plans = resolver.getIfAvailable();
    Map<String, RateLimiter> limiters = new LinkedHashMap<>();
    properties
        .policies()
        .forEach(
            (name, policy) -> {
              RateLimiter limiter = store.limiter(PolicyReader.read(name, policy));
              Map<String, RateLimiter> ofPlans = new LinkedHashMap<>();
              PolicyReader.plans(name, policy)
                  .forEach((plan, limits) -> ofPlans.put(plan, store.limiter(limits)));
              // One without plans too, so that one joint call decides all of them.
              limiters.put(
                  name, plans == null ? limiter : new PlanRateLimiter(limiter, ofPlans, plans));
            });
    policies
        .orderedStream()
        .forEach(
            policy -> {
              if (limiters.putIfAbsent(policy.name(), store.limiter(policy)) != null) {
                throw new WeirPropertyException(
                    "weir.policies." + policy.name(),
                    "there is a RateLimitPolicy bean of that name too; give one of them another");
              }
            });
    check(limiters);
    return new RateLimiters(limiters, store.describe());
  }

  /** Looks at Redis once: what is wrong there is told now, not at the first request. */
  private static void check(Map<String, RateLimiter> limiters) {
    for (RateLimiter limiter : limiters.values()) {
      if (limiter instanceof RedisRateLimiter redis) {
        redis.check().forEach(warning -> LOG.log(System.Logger.Level.WARNING, warning));
        return;
      }
    }
  }

  @Bean
  @ConditionalOnMissingBean
  RateLimitHeaders rateLimitHeaders(WeirProperties properties) {
    return HttpHeadersForm.headers(properties.http().headers(), properties.http().legacyReset());
  }

  @Bean
  HttpRules weirHttpRules(
      WeirProperties properties,
      RateLimiters limiters,
      ObjectProvider<ClientIdentity> identity,
      BeanFactory beans) {
    return new HttpRulesReader(
            properties, limiters, name -> beans.getBean(name, IdentitySource.class))
        .read(identity.getIfUnique());
  }

  /** Limits of methods. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "org.aopalliance.intercept.MethodInterceptor")
  static class Methods {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static RateLimitedPostProcessor weirRateLimitedPostProcessor(
        ObjectProvider<RateLimiters> limiters,
        ObjectProvider<HttpRules> rules,
        Environment environment) {
      boolean ofClasses =
          environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true);
      return new RateLimitedPostProcessor(limiters, rules, ofClasses);
    }
  }
}
