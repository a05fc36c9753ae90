package dev.weir.wait;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimiterException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The callers that wait for permits of one limiter: a line for each key, first come, first served.
 * A waiting caller holds nothing in the store; it is charged when it is admitted, by one ordinary
 * decision. So one that gives up leaves nothing behind, and those behind it move up.
 *
 * <p>At most {@link #MAX_WAITERS} callers wait; while they do, further ones are refused as if their
 * time were up, and a line in the log says so once. A key nobody waits for takes no memory.
 *
 * <p>Safe for use by several threads. No lock is held while the store is asked, while anybody
 * waits, or while a future is completed.
 */
public final class WaitQueue {

  /** How many callers of a limiter wait at most: 100,000. */
  public static final int MAX_WAITERS = 100_000;

  private static final System.Logger LOG = System.getLogger(WaitQueue.class.getName());

  /** The immediate call that waiting is made of. */
  @FunctionalInterface
  public interface Store {
    /** As {@code tryAcquireAsync} if {@code charge}, and as {@code peekAsync} otherwise. */
    CompletableFuture<Decision> ask(String key, long permits, boolean charge);
  }

  private final Store store;
  private final WaitTimer timer;
  private final Map<String, Line> lines = new ConcurrentHashMap<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicBoolean saidFull = new AtomicBoolean();
  private volatile boolean closed;

  /** A queue in front of a store, by the machine's time. */
  public WaitQueue(Store store) {
    this(store, WaitTimer.system());
  }

  /** A queue in front of a store, by the time of that timer. */
  public WaitQueue(Store store, WaitTimer timer) {
    this.store = store;
    this.timer = timer;
  }

  /** As {@link dev.weir.RateLimiter#acquireAsync(String, long, Duration)} has it. */
  public CompletableFuture<Decision> acquireAsync(String key, long permits, Duration timeout) {
    Objects.requireNonNull(key, "key");
    if (permits < 0 || permits > Limit.MAX_PERMITS) {
      throw new IllegalArgumentException(
          "permits must be from 0 to " + Limit.MAX_PERMITS + ", and were " + permits);
    }
    long timeoutMicros = saturatedMicros(timeout);
    if (timeoutMicros <= 0 || permits == 0 || closed) {
      return store.ask(key, permits, true);
    }
    if (waiting.incrementAndGet() > MAX_WAITERS) {
      waiting.decrementAndGet();
      return withoutWaiting(key, permits);
    }
    Waiter waiter = new Waiter(permits, Forecast.plus(timer.nowMicros(), timeoutMicros));
    while (!lines.computeIfAbsent(key, any -> new Line(this, timer, any)).join(waiter)) {
      Thread.onSpinWait();
    }
    return waiter;
  }

  private CompletableFuture<Decision> withoutWaiting(String key, long permits) {
    if (saidFull.compareAndSet(false, true)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "{0} callers wait for permits of one limiter, which is the most. While they do, further"
              + " ones do not wait and are refused at once; shorter timeouts keep lines short.",
          Integer.toString(MAX_WAITERS));
    }
    if (!lines.containsKey(key)) {
      return store.ask(key, permits, true);
    }
    return store.ask(key, permits, false).thenApply(decision -> decision.behindOthers(1));
  }

  /** How many callers wait, those included that the store is asked for. A moment's figure. */
  public int waiting() {
    return waiting.get();
  }

  /** For how many keys callers wait. A moment's figure. */
  public int keys() {
    return lines.size();
  }

  /** To be called when permits of the key have become free otherwise than by time. */
  public void askAgain(String key) {
    Line line = lines.get(key);
    if (line != null) {
      line.askAgain();
    }
  }

  /** To be called when other limits apply. */
  public void askAgain() {
    lines.values().forEach(Line::askAgain);
  }

  /** Ends all waiting, by an exception; from now on nobody waits. */
  public void close() {
    closed = true;
    RateLimiterException failure =
        new RateLimiterException(
            "the limiter was closed while the call waited; it was not charged", null);
    lines.values().forEach(line -> line.fail(failure));
  }

  CompletableFuture<Decision> ask(String key, long permits, boolean charge) {
    try {
      return store.ask(key, permits, charge);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Completes the future of one that left its line, or did not join, with a refusal. */
  void refuse(String key, Waiter waiter, long leastMicros) {
    CompletableFuture<?> unused =
        ask(key, waiter.permits, false)
            .whenComplete(
                (decision, failure) ->
                    complete(
                        waiter,
                        decision == null
                            ? () -> waiter.completeExceptionally(cause(failure))
                            : () -> waiter.complete(decision.behindOthers(leastMicros))));
  }

  /** Completes where it is decided, as an immediate call would; elsewhere if the call waited. */
  void complete(Waiter waiter, Runnable completion) {
    if (waiter.waited) {
      timer.execute(completion);
    } else {
      completion.run();
    }
  }

  void left() {
    waiting.decrementAndGet();
  }

  void remove(String key, Line line) {
    lines.remove(key, line);
  }

  static Throwable cause(@Nullable Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause == null ? new IllegalStateException("neither a decision nor a failure") : cause;
  }

  private static long saturatedMicros(Duration timeout) {
    if (timeout.isNegative()) {
      return 0;
    }
    return timeout.getSeconds() >= Long.MAX_VALUE / 1_000_000
        ? Long.MAX_VALUE
        : timeout.getSeconds() * 1_000_000 + timeout.getNano() / 1_000;
  }
}
