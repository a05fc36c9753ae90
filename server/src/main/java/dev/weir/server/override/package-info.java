/** What somebody decided by hand about subjects and addresses, and the trail of it. */
@NullMarked
package dev.weir.server.override;

import org.jspecify.annotations.NullMarked;
