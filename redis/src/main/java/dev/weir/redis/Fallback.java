package dev.weir.redis;

import dev.weir.Charge;
import dev.weir.Decision;
import dev.weir.FailureCause;
import dev.weir.FailureMode;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimitPolicy.NamedLimit;
import dev.weir.Reservation;
import dev.weir.Settlement;
import dev.weir.Source;
import dev.weir.algorithm.ReservationId;
import dev.weir.local.LocalRateLimiter;
import java.time.Duration;

/**
 * What answers when Redis does not: nobody, or a limiter in this process with a share of each
 * limit. Safe for use by several threads.
 */
final class Fallback {

  private final LocalRateLimiter local;
  private final Duration retryAfter;

  Fallback(RateLimitPolicy policy, Duration retryAfter) {
    this.local = LocalRateLimiter.create(policy.withShare(policy.failureMode().share()));
    this.retryAfter = retryAfter;
  }

  void changePolicy(RateLimitPolicy policy) {
    local.changePolicy(policy.withShare(policy.failureMode().share()));
  }

  void reset(String key) {
    local.reset(key);
  }

  /** Judges a call; an operation that charges, charges here what is admitted. */
  Decision decide(
      RateLimitPolicy policy, String key, long permits, Operation operation, FailureCause cause) {
    FailureMode.Kind kind = policy.failureMode().kind();
    return switch (kind) {
      case OPEN -> Decision.open(policy, permits, cause);
      case CLOSED -> Decision.closed(policy, permits, cause, retryAfter);
      case LOCAL -> locally(policy, key, permits, operation).standingInFor(policy, cause);
    };
  }

  private Decision locally(RateLimitPolicy policy, String key, long permits, Operation operation) {
    if (operation == Operation.CHARGE) {
      return local.charge(key, permits);
    }
    if (permits > least(policy)) {
      // More than the whole limit can hold is refused for ever, here as there.
      return local.peek(key, permits);
    }
    return operation == Operation.ACQUIRE
        ? local.tryAcquire(key, part(permits))
        : local.peek(key, part(permits));
  }

  /** Gives back what was charged here. */
  Decision refund(RateLimitPolicy policy, String key, Charge charge) {
    return local.refund(key, charge).standingInFor(policy, FailureCause.OTHER);
  }

  /** Gives back the newest permits, if they are counted here. */
  Decision refund(RateLimitPolicy policy, String key, long permits, FailureCause cause) {
    if (policy.failureMode().kind() == FailureMode.Kind.LOCAL) {
      local.refund(key, part(permits));
    }
    return decide(policy, key, 0, Operation.PEEK, cause);
  }

  Reservation reserve(
      RateLimitPolicy policy, String key, long permits, Duration life, FailureCause cause) {
    Decision judged = decide(policy, key, permits, Operation.PEEK, cause);
    if (!judged.allowed()) {
      return new Reservation(key, "", life, judged);
    }
    if (judged.source() == Source.DEGRADED_OPEN) {
      // Nobody counted, so there is nothing to settle; the id is of none that is known.
      String none = new ReservationId(true, 0, ReservationId.newNonce()).toString();
      return new Reservation(key, none, life, judged);
    }
    Reservation made = local.reserve(key, part(permits), life);
    Decision decision = made.decision().standingInFor(policy, cause);
    if (!made.isHeld()) {
      return new Reservation(key, "", life, decision);
    }
    ReservationId id = ReservationId.parse(made.id());
    String own = new ReservationId(true, id.number(), id.nonce()).toString();
    return new Reservation(key, own, life, decision);
  }

  /** Settles what was reserved here. */
  Settlement settle(RateLimitPolicy policy, String key, ReservationId id, long permits) {
    Settlement made = local.settle(key, id.toString(), part(permits));
    return new Settlement(
        made.found(), made.permits(), made.decision().standingInFor(policy, FailureCause.OTHER));
  }

  /** A cost that the whole limit holds and the share does not takes all of the share. */
  private long part(long permits) {
    return Math.min(permits, least(local.policy()));
  }

  private static long least(RateLimitPolicy policy) {
    return policy.limits().stream()
        .map(NamedLimit::limit)
        .mapToLong(limit -> limit.capacity())
        .min()
        .orElseThrow();
  }
}
