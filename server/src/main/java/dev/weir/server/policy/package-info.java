/** The policies that run, and the stores their limiters use. */
@NullMarked
package dev.weir.server.policy;

import org.jspecify.annotations.NullMarked;
