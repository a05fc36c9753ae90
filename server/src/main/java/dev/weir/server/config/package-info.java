/** The file of policies: read whole with the place of each mistake, watched, and its layers. */
@NullMarked
package dev.weir.server.config;

import org.jspecify.annotations.NullMarked;
