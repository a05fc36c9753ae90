/** Which clients are the bots that they say they are. Needs Caffeine. */
@NullMarked
package dev.weir.bots;

import org.jspecify.annotations.NullMarked;
