package dev.weir.spring.aop;

import dev.weir.spring.RateLimited;
import dev.weir.spring.RateLimiters;
import dev.weir.spring.web.HttpRules;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Pointcut;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/**
 * Has the methods of beans with {@link RateLimited} limited, and checks all annotations when the
 * application starts.
 */
public final class RateLimitedPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor
    implements SmartInitializingSingleton {

  private static final long serialVersionUID = 1L;

  private record Place(Method method, Class<?> type) {}

  private final transient ObjectProvider<RateLimiters> limiters;
  private final transient Map<Place, LimitedMethod> methods = new ConcurrentHashMap<>();
  private final transient Set<Class<?>> limited = ConcurrentHashMap.newKeySet();
  private transient @Nullable BeanFactory beans;

  /**
   * Makes it.
   *
   * @param ofClasses whether beans are proxied by their class instead of their interfaces
   */
  public RateLimitedPostProcessor(
      ObjectProvider<RateLimiters> limiters, ObjectProvider<HttpRules> rules, boolean ofClasses) {
    this.limiters = limiters;
    setProxyTargetClass(ofClasses);
    // Before what else surrounds a call: a call that is refused starts no transaction.
    setBeforeExistingAdvisors(true);
    this.advisor =
        new DefaultPointcutAdvisor(
            pointcut(), new RateLimitedInterceptor(this::of, new CurrentClient(rules::getObject)));
  }

  private static Pointcut pointcut() {
    Pointcut ofClass = new AnnotationMatchingPointcut(RateLimited.class, true);
    Pointcut ofMethod = new AnnotationMatchingPointcut(null, RateLimited.class, true);
    return new ComposablePointcut(ofClass).union(ofMethod);
  }

  @Override
  public void setBeanFactory(BeanFactory beanFactory) {
    super.setBeanFactory(beanFactory);
    this.beans = beanFactory;
  }

  @Override
  public @Nullable Object postProcessAfterInitialization(Object bean, String beanName) {
    if (isEligible(bean, beanName)) {
      limited.add(AopUtils.getTargetClass(bean));
    }
    return super.postProcessAfterInitialization(bean, beanName);
  }

  @Override
  public void afterSingletonsInstantiated() {
    for (Class<?> type : limited) {
      MethodIntrospector.selectMethods(
              type, (MethodIntrospector.MetadataLookup<RateLimited>) it -> annotation(it, type))
          .forEach((method, annotation) -> of(new Place(method, type)));
    }
  }

  private static @Nullable RateLimited annotation(Method method, Class<?> type) {
    if (method.getDeclaringClass() == Object.class || method.isSynthetic()) {
      return null;
    }
    RateLimited ofMethod = AnnotatedElementUtils.findMergedAnnotation(method, RateLimited.class);
    return ofMethod != null
        ? ofMethod
        : AnnotatedElementUtils.findMergedAnnotation(type, RateLimited.class);
  }

  private LimitedMethod of(MethodInvocation call) {
    Object target = call.getThis();
    Class<?> type =
        target == null ? call.getMethod().getDeclaringClass() : AopUtils.getTargetClass(target);
    return of(new Place(ClassUtils.getMostSpecificMethod(call.getMethod(), type), type));
  }

  private LimitedMethod of(Place place) {
    return methods.computeIfAbsent(
        place,
        it ->
            new LimitedMethod(
                it.method(),
                it.type(),
                Objects.requireNonNull(annotation(it.method(), it.type())),
                limiters.getObject(),
                Objects.requireNonNull(beans)));
  }
}
