/** Policies that somebody thinks of: checked, tried, and compared with those that run. */
@NullMarked
package dev.weir.server.draft;

import org.jspecify.annotations.NullMarked;
