/** The stand-alone service: its command line and its HTTP server. */
@NullMarked
package dev.weir.server;

import org.jspecify.annotations.NullMarked;
