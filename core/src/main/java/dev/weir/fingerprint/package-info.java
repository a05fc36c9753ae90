/** What makes two requests the same, for callers that look at bodies. Needs the JCS library. */
@NullMarked
package dev.weir.fingerprint;

import org.jspecify.annotations.NullMarked;
