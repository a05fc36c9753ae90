package dev.weir.server.api;

import dev.weir.Limit;
import dev.weir.Reservation;
import dev.weir.algorithm.ReservationId;
import dev.weir.config.ConfigException;
import dev.weir.config.Fields;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of a call: {@code policy}, {@code key} and what else the path has.
 *
 * @param policy the name of the policy
 * @param key whom to judge
 * @param cost the permits asked for, 1 if the body has none
 * @param reservation the id of a reservation; the empty text where the path has none
 * @param expiresAfter how long a reservation is open; a minute if the body does not say
 */
record CallRequest(
    String policy, String key, long cost, String reservation, Duration expiresAfter) {

  private static final String POLICY = "policy";
  private static final String KEY = "key";
  private static final String COST = "cost";
  private static final String RESERVATION = "reservation";
  private static final String EXPIRES_AFTER = "expiresAfter";
  private static final Duration A_MINUTE = Duration.ofMinutes(1);

  /**
   * Reads a body of the fields that all calls have, and perhaps a cost.
   *
   * @throws dev.weir.config.ConfigException if a field cannot be used
   */
  static CallRequest read(@Nullable Object body, boolean mayHaveCost) {
    return mayHaveCost ? read(body, List.of(COST)) : read(body, List.of());
  }

  /** Reads the body of {@code /v1/reserve}. */
  static CallRequest toReserve(@Nullable Object body) {
    return read(body, List.of(COST, EXPIRES_AFTER));
  }

  /** Reads the body of {@code /v1/settle}. */
  static CallRequest toSettle(@Nullable Object body) {
    return read(body, List.of(COST, RESERVATION));
  }

  /** Reads the body of {@code /v1/cancel}. */
  static CallRequest toCancel(@Nullable Object body) {
    return read(body, List.of(RESERVATION));
  }

  /** The same call at another cost. */
  CallRequest atCost(long other) {
    return new CallRequest(policy, key, other, reservation, expiresAfter);
  }

  private static CallRequest read(@Nullable Object body, List<String> more) {
    Fields fields = new Fields(body, "");
    List<String> known = new ArrayList<>(List.of(POLICY, KEY));
    known.addAll(more);
    fields.onlyKnown(known);
    String policy = fields.text(POLICY);
    String key = fields.text(KEY);
    long least = more.contains(EXPIRES_AFTER) ? 1 : 0;
    long cost = fields.has(COST) ? fields.wholeNumber(COST, least, Limit.MAX_PERMITS) : 1;
    String reservation = more.contains(RESERVATION) ? reservation(fields) : "";
    Duration expires =
        fields.has(EXPIRES_AFTER)
            ? fields.duration(EXPIRES_AFTER, Reservation.MIN_LIFE, Reservation.MAX_LIFE)
            : A_MINUTE;
    return new CallRequest(policy, key, cost, reservation, expires);
  }

  private static String reservation(Fields fields) {
    String id = fields.text(RESERVATION);
    try {
      return ReservationId.parse(id).toString();
    } catch (IllegalArgumentException e) {
      throw new ConfigException(RESERVATION, String.valueOf(e.getMessage()));
    }
  }
}
