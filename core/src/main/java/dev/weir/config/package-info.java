/**
 * Limits and policies as the fields of JSON, YAML or properties: one owner of the words, whatever
 * they are read from.
 */
@NullMarked
package dev.weir.config;

import org.jspecify.annotations.NullMarked;
