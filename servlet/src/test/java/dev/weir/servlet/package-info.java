@NullMarked
package dev.weir.servlet;

import org.jspecify.annotations.NullMarked;
