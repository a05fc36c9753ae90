/** Feeds access logs through the limits and the adaptive model at their recorded times. */
@NullMarked
package dev.weir.server.replay;

import org.jspecify.annotations.NullMarked;
