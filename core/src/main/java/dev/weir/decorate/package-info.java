/** Limits for calls that are not requests: suppliers, callables, stages, executors. */
@NullMarked
package dev.weir.decorate;

import org.jspecify.annotations.NullMarked;
