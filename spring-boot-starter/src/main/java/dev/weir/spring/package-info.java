/** What a Spring application uses: the annotation, the limiters by name, plans. */
@NullMarked
package dev.weir.spring;

import org.jspecify.annotations.NullMarked;
