package dev.weir.server.live;

import dev.weir.server.policy.RequestAttributes;

/**
 * A request that was decided, or the answer to one.
 *
 * @param atMicros when, since the epoch
 * @param request the request
 * @param cost what it cost; 0 for an answer
 * @param status the status of the answer; 0 for a request
 */
public record SeenCall(long atMicros, RequestAttributes request, long cost, int status) {

  /** Whether it is an answer. */
  public boolean isOutcome() {
    return status != 0;
  }
}
