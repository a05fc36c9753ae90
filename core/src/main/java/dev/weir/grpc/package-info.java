/** Limits for gRPC servers; needs gRPC. */
@NullMarked
package dev.weir.grpc;

import org.jspecify.annotations.NullMarked;
