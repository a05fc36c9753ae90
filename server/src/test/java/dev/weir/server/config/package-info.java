/** The file of policies: its mistakes, its schema, and what happens when it changes. */
@NullMarked
package dev.weir.server.config;

import org.jspecify.annotations.NullMarked;
