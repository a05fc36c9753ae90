/** Limits of methods. */
@NullMarked
package dev.weir.spring.aop;

import org.jspecify.annotations.NullMarked;
