package dev.weir.spring.aop;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * What {@code #root} is in the expressions of {@link dev.weir.spring.RateLimited}.
 *
 * @param method the method that is called
 * @param args its arguments
 * @param target the object that it is called on
 */
// Made for a single expression, which may look at the arguments themselves.
@SuppressWarnings("ArrayRecordComponent")
public record CallRoot(Method method, @Nullable Object[] args, @Nullable Object target) {}
