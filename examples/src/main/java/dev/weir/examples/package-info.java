/** The code of the documents, as programs. */
@NullMarked
package dev.weir.examples;

import org.jspecify.annotations.NullMarked;
