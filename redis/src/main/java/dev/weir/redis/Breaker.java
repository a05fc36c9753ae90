package dev.weir.redis;

import dev.weir.FailureCause;
import dev.weir.RateLimiterListener;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Remembers that a shard does not answer, so that an outage costs a caller its time budget once and
 * not once per request. It opens at the first failure and then probes in the background, one probe
 * at a time, at once and then each interval; the first probe that succeeds closes it. Callers are
 * never the probe. Safe for use by several threads; nothing waits.
 */
final class Breaker {

  private static final System.Logger LOG = System.getLogger(Breaker.class.getName());

  /** Asks the shard, in bounded time; completes with why it does not decide, or {@code null}. */
  interface Probe {
    CompletableFuture<@Nullable FailureCause> ask();
  }

  private final String shard;
  private final Duration interval;
  private final ScheduledExecutorService scheduler;
  private final RateLimiterListener listener;
  private volatile boolean closed;
  private final AtomicReference<@Nullable FailureCause> open = new AtomicReference<>();

  Breaker(
      String shard,
      Duration interval,
      ScheduledExecutorService scheduler,
      RateLimiterListener listener) {
    this.shard = shard;
    this.interval = interval;
    this.scheduler = scheduler;
    this.listener = listener;
  }

  /** Why the shard is given up at present, or {@code null} if it is to be asked. */
  @Nullable FailureCause openFor() {
    return open.get();
  }

  /** Ends probing. */
  void close() {
    closed = true;
  }

  /** A call failed. */
  void failed(FailureCause cause, Probe probe) {
    if (open.compareAndSet(null, cause)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "Redis ({0}) does not decide: {1}. Decisions follow each policy''s failure mode until it"
              + " does; it is asked again every {2} ms.",
          shard,
          cause.word(),
          Long.toString(interval.toMillis()));
      tell(true, cause);
      probe(probe, 0);
    }
  }

  private void probe(Probe probe, long delayMillis) {
    Future<?> unused = scheduler.schedule(() -> ask(probe), delayMillis, TimeUnit.MILLISECONDS);
  }

  private void ask(Probe probe) {
    CompletableFuture<@Nullable FailureCause> asked;
    try {
      asked = probe.ask();
    } catch (RuntimeException e) {
      asked = CompletableFuture.completedFuture(FailureCause.CONNECTION);
    }
    CompletableFuture<?> unused = asked.thenAccept(failure -> probed(probe, failure));
  }

  private void probed(Probe probe, @Nullable FailureCause failure) {
    if (failure != null) {
      if (!closed) {
        probe(probe, interval.toMillis());
      }
      return;
    }
    FailureCause was = open.getAndSet(null);
    if (was != null) {
      LOG.log(System.Logger.Level.INFO, "Redis ({0}) decides again after {1}.", shard, was.word());
      tell(false, was);
    }
  }

  private void tell(boolean isOpen, FailureCause cause) {
    try {
      listener.breakerChanged(shard, isOpen, cause);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "a listener failed", e);
    }
  }
}
