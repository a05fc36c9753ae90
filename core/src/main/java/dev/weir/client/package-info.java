/** Clients that obey the limits which servers tell them of. */
@NullMarked
package dev.weir.client;

import org.jspecify.annotations.NullMarked;
