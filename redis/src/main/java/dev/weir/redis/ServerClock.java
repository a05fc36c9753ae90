package dev.weir.redis;

import java.util.function.LongSupplier;

/**
 * What this process takes for Redis' time: its own clock, set right when Redis has said otherwise.
 * A guess, which says around which time to send windows of a calendar and decides nothing. Safe for
 * use by several threads.
 */
final class ServerClock {

  private final LongSupplier ownMicros;
  private volatile long aheadMicros;

  /** A clock that takes this process' own for right until told otherwise. */
  ServerClock(LongSupplier ownMicros) {
    this.ownMicros = ownMicros;
  }

  /** A clock that starts from this machine's. */
  static ServerClock ofMachine() {
    return new ServerClock(() -> System.currentTimeMillis() * 1_000);
  }

  /** What Redis' clock shows, in microseconds since the epoch, as far as is known here. */
  long epochMicros() {
    return ownMicros.getAsLong() + aheadMicros;
  }

  /** Redis' clock shows that time. */
  void shows(long micros) {
    aheadMicros = micros - ownMicros.getAsLong();
  }
}
