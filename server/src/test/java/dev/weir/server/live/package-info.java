/** What a process saw: bounded, whatever comes. */
@NullMarked
package dev.weir.server.live;

import org.jspecify.annotations.NullMarked;
