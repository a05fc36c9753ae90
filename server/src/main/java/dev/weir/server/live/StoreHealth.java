package dev.weir.server.live;

import dev.weir.server.policy.LimiterFactory;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Whether the store answers, and how fast: one question a second. Safe for several threads. */
public final class StoreHealth {

  private static final int STEPS = LiveFigures.STEPS;

  private final LimiterFactory store;
  private final InstantSource clock;
  private final long[] stepNumbers = new long[STEPS];
  private final long[] worstMicros = new long[STEPS];
  private volatile boolean isUp = true;
  private volatile long lastMicros;
  private volatile long sinceMillis;

  /** Watches a store; it counts as up until it was asked. */
  public StoreHealth(LimiterFactory store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
    this.sinceMillis = clock.millis();
  }

  /** Asks the store; does not wait for the answer. */
  public void ping() {
    CompletableFuture<Void> unused =
        store
            .pingMicros()
            .handle(
                (micros, failure) -> {
                  note(failure == null, micros == null ? 0 : micros);
                  return null;
                });
  }

  private synchronized void note(boolean up, long micros) {
    long now = clock.millis();
    if (up != isUp) {
      isUp = up;
      sinceMillis = now;
    }
    if (up) {
      lastMicros = micros;
      long step = now / LiveFigures.STEP_MILLIS;
      int slot = (int) (step % STEPS);
      worstMicros[slot] = stepNumbers[slot] == step ? Math.max(worstMicros[slot], micros) : micros;
      stepNumbers[slot] = step;
    }
  }

  /** Whether it answered the last question. */
  public boolean isUp() {
    return isUp;
  }

  /** Since when that is so. */
  public long sinceMillis() {
    return sinceMillis;
  }

  /** How long the last answer took. */
  public long lastMicros() {
    return lastMicros;
  }

  /** The longest answer of each of the last steps, the oldest first; -1 where there is none. */
  public synchronized List<Long> worstMicros(int steps) {
    Long[] worst = new Long[steps];
    Arrays.fill(worst, -1L);
    long newest = clock.millis() / LiveFigures.STEP_MILLIS;
    for (int i = 0; i < steps; i++) {
      long step = newest - steps + 1 + i;
      int slot = (int) (step % STEPS);
      if (stepNumbers[slot] == step) {
        worst[i] = worstMicros[slot];
      }
    }
    return new ArrayList<>(Arrays.asList(worst));
  }
}
