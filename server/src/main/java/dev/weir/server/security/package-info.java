/** Who may do what: keys, roles, and what is open without a key. */
@NullMarked
package dev.weir.server.security;

import org.jspecify.annotations.NullMarked;
