/** What an HTTP integration says about a decision. Pure. */
@NullMarked
package dev.weir.http;

import org.jspecify.annotations.NullMarked;
