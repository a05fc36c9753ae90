/** For tests of applications. */
@NullMarked
package dev.weir.spring.test;

import org.jspecify.annotations.NullMarked;
