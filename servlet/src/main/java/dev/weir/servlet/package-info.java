/** A filter for Jakarta Servlet 5.0 to 6.1 that limits requests. */
@NullMarked
package dev.weir.servlet;

import org.jspecify.annotations.NullMarked;
