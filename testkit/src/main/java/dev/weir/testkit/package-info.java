/**
 * For tests of limiters and of applications that use them: the contract of limiters as test
 * classes, checkers, clocks, and real Redis servers.
 */
@NullMarked
package dev.weir.testkit;

import org.jspecify.annotations.NullMarked;
