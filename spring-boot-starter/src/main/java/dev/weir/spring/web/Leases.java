package dev.weir.spring.web;

import dev.weir.Concurrency;
import dev.weir.RateLimitPolicy;
import dev.weir.Reservation;
import java.time.Duration;

/** How long permits are held at most. */
public final class Leases {

  private Leases() {}

  /** Whether a policy holds permits until a call is over. */
  public static boolean holds(RateLimitPolicy policy) {
    return policy.limits().stream().anyMatch(it -> it.limit() instanceof Concurrency);
  }

  /** The longest lease of a policy, as far as a reservation can last. */
  public static Duration longest(RateLimitPolicy policy) {
    Duration longest =
        policy.limits().stream()
            .filter(it -> it.limit() instanceof Concurrency)
            .map(it -> ((Concurrency) it.limit()).lease())
            .max(Duration::compareTo)
            .orElse(Reservation.MAX_LIFE);
    return longest.compareTo(Reservation.MAX_LIFE) > 0 ? Reservation.MAX_LIFE : longest;
  }
}
