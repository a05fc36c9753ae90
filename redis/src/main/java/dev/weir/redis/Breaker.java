package dev.weir.redis;

import dev.weir.FailureCause;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
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

  /** Few tasks, and only while something is down: one thread for all limiters of the process. */
  private static final ScheduledThreadPoolExecutor SCHEDULER = scheduler();

  /** Asks the shard, in bounded time; completes with why it does not decide, or {@code null}. */
  interface Probe {
    CompletableFuture<@Nullable FailureCause> ask();
  }

  private final String shard;
  private final SharedBreakers owner;
  private volatile boolean closed;
  private final AtomicReference<@Nullable FailureCause> open = new AtomicReference<>();

  /** Set once Redis has asked for a password, until it answers again. */
  private volatile boolean locked;

  Breaker(String shard, SharedBreakers owner) {
    this.shard = shard;
    this.owner = owner;
  }

  private static ScheduledThreadPoolExecutor scheduler() {
    ScheduledThreadPoolExecutor scheduler =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              Thread thread = new Thread(work, "weir-breaker");
              thread.setDaemon(true);
              return thread;
            });
    scheduler.setRemoveOnCancelPolicy(true);
    scheduler.setKeepAliveTime(10, TimeUnit.SECONDS);
    scheduler.allowCoreThreadTimeOut(true);
    return scheduler;
  }

  /** Why the shard is given up at present, or {@code null} if it is to be asked. */
  @Nullable FailureCause openFor() {
    return open.get();
  }

  /** Redis has answered a call. */
  void succeeded() {
    if (locked) {
      locked = false;
    }
  }

  /**
   * What a failure is of. Redis closes connections that give no password, and a client that cannot
   * connect again tells a lost connection only: that is still the missing password.
   */
  FailureCause cause(FailureCause told) {
    if (told == FailureCause.NO_AUTHENTICATION) {
      locked = true;
    }
    boolean silent = told == FailureCause.CONNECTION || told == FailureCause.TIMEOUT;
    return locked && silent ? FailureCause.NO_AUTHENTICATION : told;
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
          Long.toString(owner.interval().toMillis()));
      owner.opened(shard, cause);
      probe(probe, 0);
    }
  }

  private void probe(Probe probe, long delayMillis) {
    Future<?> unused = SCHEDULER.schedule(() -> ask(probe), delayMillis, TimeUnit.MILLISECONDS);
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
        probe(probe, owner.interval().toMillis());
      }
      return;
    }
    locked = false;
    FailureCause was = open.get();
    if (was != null) {
      LOG.log(System.Logger.Level.INFO, "Redis ({0}) decides again after {1}.", shard, was.word());
      // Told before the next failure can open it, so that no listener hears the two in reverse.
      owner.closed(shard);
      open.set(null);
    }
  }
}
