/**
 * The adaptive layer: how strict to be with whom. Signals of a subject's behaviour become a risk
 * with reasons, and the risk a tier. Pure: no input or output, no clock; time is an argument. See
 * docs/adaptive.md.
 */
@NullMarked
package dev.weir.adaptive;

import org.jspecify.annotations.NullMarked;
