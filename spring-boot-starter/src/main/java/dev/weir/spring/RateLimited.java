package dev.weir.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Charges each call of a method, or of all methods of a class, under a policy before it runs. A
 * call that is refused does not run: its {@link #fallback} does, or {@link
 * RateLimitExceededException} is thrown, which a web application answers with 429.
 *
 * <p>A method that returns a {@code Mono}, a {@code Flux} or a {@code CompletionStage} is asked for
 * without blocking: at each subscription, or when it is called. Any other is asked for on the
 * caller's thread.
 *
 * <p>A policy with a limit of concurrency holds its permits until the method has returned, or what
 * it returned has ended.
 *
 * <p>As with all annotations that Spring works by proxies, a call within the same object is not
 * seen. Names of policies and fallbacks and the expressions are checked when the application
 * starts.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface RateLimited {

  /** The name of the policy: one of {@code weir.policies}, or of a bean. */
  String policy();

  /**
   * Whom to charge, as an expression (SpEL): over the arguments by name ({@code #user.id}) or place
   * ({@code #p0}), {@code #root.method}, {@code #root.target} and beans ({@code @tenants.current}).
   * Nothing is the client of the current request. One that gives null or blank text is an error of
   * the call, never a key that callers share.
   */
  String key() default "";

  /** How many permits, as an expression; 0 is a look, which is allowed and not charged. */
  String cost() default "1";

  /**
   * The name of a method of the same class that answers instead of one that is refused: with the
   * same parameters, or with a {@link dev.weir.Decision} after them, and a result that will do.
   */
  String fallback() default "";
}
