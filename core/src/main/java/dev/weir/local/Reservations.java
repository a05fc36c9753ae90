package dev.weir.local;

import dev.weir.Charge;
import dev.weir.Reservation;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The reservations of a key that are not settled yet, by number. Not safe for several threads. */
final class Reservations {

  /** How many of the oldest are looked at for each new one, so that expired ones go away. */
  private static final int LOOKED_AT = 4;

  private final Map<Long, Open> open = new HashMap<>();
  private long next;
  private long oldest;
  private long latestExpiryMicros;

  private record Open(long nonce, long expiresAtMicros, Charge charge) {}

  /** How long there is no room for one more, if nothing is settled; 0 if there is. */
  long fullForMicros(long nowMicros) {
    long open = this.open.size();
    long wait = 1;
    for (long number = oldest; number < firstOpen(nowMicros); number++) {
      open -= this.open.containsKey(number) ? 1 : 0;
    }
    Open first = this.open.get(firstOpen(nowMicros));
    if (first != null) {
      wait = Math.max(1, first.expiresAtMicros - nowMicros);
    }
    return open < Reservation.MAX_OPEN ? 0 : wait;
  }

  /** The first, of the few oldest that are looked at, that can still be settled. */
  private long firstOpen(long nowMicros) {
    long number = oldest;
    while (number < Math.min(next, oldest + LOOKED_AT)) {
      Open first = open.get(number);
      if (first != null && first.expiresAtMicros > nowMicros) {
        break;
      }
      number++;
    }
    return number;
  }

  /** Adds one, drops some of the oldest that have expired, and returns its number. */
  long add(long nonce, long nowMicros, long lifeMicros, Charge charge) {
    for (long first = firstOpen(nowMicros); oldest < first; oldest++) {
      open.remove(oldest);
    }
    long expiresAtMicros = nowMicros + lifeMicros;
    open.put(next, new Open(nonce, expiresAtMicros, charge));
    latestExpiryMicros = Math.max(latestExpiryMicros, expiresAtMicros);
    return next++;
  }

  /** Removes one, and returns what it charged; {@code null} if there is none or it has expired. */
  @Nullable Charge remove(long number, long nonce, long nowMicros) {
    Open found = open.get(number);
    if (found == null || found.nonce != nonce) {
      return null;
    }
    open.remove(number);
    return found.expiresAtMicros > nowMicros ? found.charge : null;
  }

  /** When all that were ever added have expired. */
  long latestExpiryMicros() {
    return latestExpiryMicros;
  }
}
