/** Limits for streams of Reactor; needs Reactor. */
@NullMarked
package dev.weir.reactor;

import org.jspecify.annotations.NullMarked;
