/** The console, in a real browser. */
@NullMarked
package dev.weir.server.console;

import org.jspecify.annotations.NullMarked;
