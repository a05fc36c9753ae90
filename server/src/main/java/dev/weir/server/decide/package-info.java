/** Decisions about requests: which policy, whom they are counted for, and what came of it. */
@NullMarked
package dev.weir.server.decide;

import org.jspecify.annotations.NullMarked;
