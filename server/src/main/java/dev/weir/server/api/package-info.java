/** The HTTP interface: requests as JSON, decisions and problems as answers. */
@NullMarked
package dev.weir.server.api;

import org.jspecify.annotations.NullMarked;
