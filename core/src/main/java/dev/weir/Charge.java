package dev.weir;

import dev.weir.RateLimitPolicy.NamedLimit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an allowed call was charged, so that it can be given back: see {@link
 * RateLimiter#refund(String, Charge)}. Made by {@link Decision#charge()}. An immutable value.
 */
public final class Charge {

  private final Source source;
  private final long permits;
  private final long atMicros;
  private final int[] stateIds;
  private final long[] used;
  private final long[] expiresAtMicros;

  private Charge(
      Source source,
      long permits,
      long atMicros,
      int[] stateIds,
      long[] used,
      long[] expiresAtMicros) {
    this.source = source;
    this.permits = permits;
    this.atMicros = atMicros;
    this.stateIds = stateIds;
    this.used = used;
    this.expiresAtMicros = expiresAtMicros;
  }

  /** The charge of a decision, from the statuses after it. */
  static Charge of(Decision decision, long nowMicros, long atMicros) {
    List<NamedLimit> limits = decision.policy().limits();
    int[] ids = new int[limits.size()];
    long[] used = new long[ids.length];
    long[] expires = new long[ids.length];
    for (int i = 0; i < ids.length; i++) {
      LimitStatus status = decision.limits().get(i);
      ids[i] = limits.get(i).stateId();
      used[i] = status.limit().capacity() - status.remaining();
      expires[i] = nowMicros + LimitNumbers.toMicros(status.resetAfter());
    }
    return new Charge(decision.source(), decision.permits(), atMicros, ids, used, expires);
  }

  /** Who charged. */
  public Source source() {
    return source;
  }

  /** How many permits were charged. */
  public long permits() {
    return permits;
  }

  /** When, on the store's clock, in microseconds since the epoch. */
  public long atMicros() {
    return atMicros;
  }

  /**
   * A part of this charge, for giving back some of it.
   *
   * @param permits 1 to {@link #permits()}
   * @throws IllegalArgumentException if it is another number
   */
  public Charge part(long permits) {
    if (permits < 1 || permits > this.permits) {
      throw new IllegalArgumentException(
          "a part of a charge of %d permits has from 1 to %d, and %d were asked for"
              .formatted(this.permits, this.permits, permits));
    }
    return new Charge(source, permits, atMicros, stateIds, used, expiresAtMicros);
  }

  /**
   * What one limit was charged; for stores.
   *
   * @param stateId the limit's {@linkplain NamedLimit#stateId() id}
   * @return {@code null} if the policy that charged had no such limit
   */
  public Charge.@Nullable OfLimit limit(int stateId) {
    for (int i = 0; i < stateIds.length; i++) {
      if (stateIds[i] == stateId) {
        return new Charge.OfLimit(atMicros, used[i], expiresAtMicros[i]);
      }
    }
    return null;
  }

  @Override
  public String toString() {
    return permits + " permits at " + atMicros + " us by " + source.word();
  }

  /**
   * What is known of a charge under one limit; for stores.
   *
   * @param atMicros when it was charged
   * @param used the permits in use after it, itself among them; at most the limit's capacity
   * @param expiresAtMicros when nothing is left of it, with no other traffic
   */
  public record OfLimit(long atMicros, long used, long expiresAtMicros) {}
}
