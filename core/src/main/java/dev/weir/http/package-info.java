/** Who a request is from and what its answer says; pure, for integrations of any framework. */
@NullMarked
package dev.weir.http;

import org.jspecify.annotations.NullMarked;
