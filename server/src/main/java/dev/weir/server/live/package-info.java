/** What this process saw lately: figures, subjects, anomalies, requests. All of it bounded. */
@NullMarked
package dev.weir.server.live;

import org.jspecify.annotations.NullMarked;
