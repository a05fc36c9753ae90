/** The demo page in a real browser, against the real service. */
@NullMarked
package dev.weir.server.demo;

import org.jspecify.annotations.NullMarked;
