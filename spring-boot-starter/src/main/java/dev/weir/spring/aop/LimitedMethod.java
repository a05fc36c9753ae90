package dev.weir.spring.aop;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.spring.RateLimited;
import dev.weir.spring.RateLimiters;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ReflectionUtils;

/** A method with its annotation, read once: which limiter, whom to charge, what stands in. */
final class LimitedMethod {

  private static final SpelExpressionParser PARSER = new SpelExpressionParser();
  private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

  private final Method method;
  private final RateLimiter limiter;
  private final @Nullable Expression key;
  private final Expression cost;
  private final @Nullable Method fallback;
  private final BeanFactory beans;

  /**
   * Reads an annotation.
   *
   * @throws IllegalStateException if it cannot be used; the message says why
   */
  LimitedMethod(
      Method method, Class<?> type, RateLimited limited, RateLimiters limiters, BeanFactory beans) {
    this.method = method;
    this.beans = beans;
    try {
      this.limiter = limiters.get(limited.policy());
      this.key = limited.key().isEmpty() ? null : PARSER.parseExpression(limited.key());
      this.cost = PARSER.parseExpression(limited.cost());
    } catch (IllegalArgumentException | ParseException e) {
      throw new IllegalStateException(
          "@RateLimited of %s cannot be used: %s".formatted(method, e.getMessage()), e);
    }
    this.fallback = limited.fallback().isEmpty() ? null : fallback(limited.fallback(), type);
  }

  private Method fallback(String name, Class<?> type) {
    Class<?>[] same = method.getParameterTypes();
    Class<?>[] more = Arrays.copyOf(same, same.length + 1);
    more[same.length] = Decision.class;
    Method found = ReflectionUtils.findMethod(type, name, same);
    if (found == null) {
      found = ReflectionUtils.findMethod(type, name, more);
    }
    if (found == null || !method.getReturnType().isAssignableFrom(found.getReturnType())) {
      throw new IllegalStateException(
          ("@RateLimited of %s names the fallback '%s', and %s has no method of that name with the"
                  + " same parameters, or a Decision after them, and a result of %s")
              .formatted(method, name, type.getName(), method.getReturnType().getName()));
    }
    ReflectionUtils.makeAccessible(found);
    return found;
  }

  RateLimiter limiter() {
    return limiter;
  }

  /** Whether the key is the client of the current request. */
  boolean isOfClient() {
    return key == null;
  }

  /** The key of a call. */
  String key(MethodInvocation call) {
    Object value = key == null ? null : key.getValue(context(call));
    String text = value == null ? "" : value.toString();
    if (text.isBlank()) {
      throw new IllegalArgumentException(
          "the key of @RateLimited of %s is %s; nobody can be charged for it, and a key for all who"
                  .formatted(method, value == null ? "null" : "blank")
              + " have none would be shared by strangers");
    }
    return text;
  }

  /** The cost of a call. */
  long cost(MethodInvocation call) {
    Number number = cost.getValue(context(call), Number.class);
    long permits = number == null ? -1 : number.longValue();
    if (permits < 0 || permits > Limit.MAX_PERMITS) {
      throw new IllegalArgumentException(
          "the cost of @RateLimited of %s must be from 0 to %d, and was %s"
              .formatted(method, Limit.MAX_PERMITS, number));
    }
    return permits;
  }

  private EvaluationContext context(MethodInvocation call) {
    CallRoot root = new CallRoot(method, call.getArguments(), call.getThis());
    MethodBasedEvaluationContext context =
        new MethodBasedEvaluationContext(root, method, call.getArguments(), NAMES);
    context.setBeanResolver(new BeanFactoryResolver(beans));
    return context;
  }

  boolean hasFallback() {
    return fallback != null;
  }

  /** Answers instead of a call that was refused. */
  @Nullable Object fallback(MethodInvocation call, Decision refusal) throws Throwable {
    Method standIn = java.util.Objects.requireNonNull(fallback);
    Object[] arguments = call.getArguments();
    if (standIn.getParameterCount() > arguments.length) {
      arguments = Arrays.copyOf(arguments, arguments.length + 1);
      arguments[arguments.length - 1] = refusal;
    }
    try {
      return standIn.invoke(call.getThis(), arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }
}
