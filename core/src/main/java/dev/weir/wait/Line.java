package dev.weir.wait;

import dev.weir.Decision;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The callers that wait for one key, first come, first served. Only the first is asked for, so the
 * store is asked for a key once at a time, and once for each wait that it has told.
 *
 * <p>The lock is held to read and change the line only: never while the store is asked or a future
 * completed. A line that has become empty is gone for good; the next caller makes another.
 */
final class Line {

  /** How long to wait at most before looking again whether permits were given back: 20 ms. */
  private static final long LOOK_AGAIN_MICROS = 20_000;

  private final WaitQueue queue;
  private final WaitTimer timer;
  private final String key;
  private final ReentrantLock lock = new ReentrantLock();
  private final LinkedHashSet<Waiter> waiters = new LinkedHashSet<>();

  /** The sum of what all in the line ask for. */
  private long permits;

  /** Whether the store is asked for the first. */
  private boolean asking;

  /** Whether what the store is asked at present may be outdated when it answers. */
  private boolean outdated;

  /** Whether the first waits for the time that the store has told. */
  private boolean sleeping;

  private long sleeps;
  private long headAdmittedAtMicros;
  private long wakesAtMicros;
  private Runnable dropWake = () -> {};

  private boolean gone;

  /** Why nobody waits any more, once that is so. */
  private volatile @Nullable RuntimeException closed;

  private @Nullable Forecast forecast;

  Line(WaitQueue queue, WaitTimer timer, String key) {
    this.queue = queue;
    this.timer = timer;
    this.key = key;
  }

  /** Lets a call join; {@code false} if this line is gone. */
  boolean join(Waiter waiter) {
    long least = 0;
    lock.lock();
    try {
      if (gone) {
        return false;
      }
      if (!waiters.isEmpty() && isHopeless(waiter, permits)) {
        least = leastWait(permits + waiter.permits);
      } else {
        add(waiter);
      }
    } finally {
      lock.unlock();
    }
    if (least > 0) {
      queue.left();
      queue.refuse(key, waiter, least);
    } else {
      advance();
    }
    return true;
  }

  private void add(Waiter waiter) {
    waiter.joined(this);
    waiter.waited = !waiters.isEmpty();
    waiters.add(waiter);
    permits += waiter.permits;
    if (waiter.waited && waiter.deadlineMicros < Long.MAX_VALUE) {
      long left = Math.max(0, waiter.deadlineMicros - timer.nowMicros());
      waiter.deadlineTask = timer.schedule(left, () -> expire(waiter));
    }
    // However else the future is completed, the call waits no longer.
    CompletableFuture<?> unused = waiter.whenComplete((decision, failure) -> leave(waiter));
  }

  private void remove(Waiter waiter) {
    waiters.remove(waiter);
    permits -= waiter.permits;
    waiter.dropDeadline();
    queue.left();
  }

  private Waiter first() {
    return waiters.iterator().next();
  }

  /** Whether a call behind so many permits cannot be admitted in time. */
  private boolean isHopeless(Waiter waiter, long ahead) {
    return forecast != null
        && (forecast.neverHolds(waiter.permits)
            || earliest(ahead + waiter.permits) > waiter.deadlineMicros);
  }

  private long earliest(long permitsSince) {
    long earliest = forecast == null ? Long.MIN_VALUE : forecast.earliestMicros(permitsSince);
    return sleeping ? Math.max(earliest, headAdmittedAtMicros) : earliest;
  }

  /** The same as a time from now: 1 us or more, since those ahead come first. */
  private long leastWait(long permitsSince) {
    return Math.max(1, earliest(permitsSince) - timer.nowMicros());
  }

  /** Asks for the first, and the next, as long as answers are there at once. */
  void advance() {
    for (Waiter head = next(); head != null; head = next()) {
      Waiter asked = head;
      long askedAt = timer.nowMicros();
      CompletableFuture<Decision> answer = queue.ask(key, asked.permits, true);
      boolean atOnce = answer.isDone();
      CompletableFuture<?> unused =
          answer.whenComplete(
              (decision, failure) -> {
                answered(asked, askedAt, decision, failure);
                if (!atOnce) {
                  advance();
                }
              });
      if (!atOnce) {
        return;
      }
    }
  }

  /** The waiter to ask for now, if there is one. */
  private @Nullable Waiter next() {
    lock.lock();
    try {
      if (waiters.isEmpty() && !asking) {
        gone = true;
        queue.remove(key, this);
      }
      if (waiters.isEmpty() || asking || sleeping) {
        return null;
      }
      asking = true;
      first().dropDeadline();
      return first();
    } finally {
      lock.unlock();
    }
  }

  private void answered(
      Waiter head, long askedAt, @Nullable Decision decision, @Nullable Throwable failure) {
    boolean stays;
    List<Waiter> hopeless = List.of();
    lock.lock();
    try {
      asking = false;
      boolean isNews = forecast == null && !outdated;
      forecast = decision == null || outdated ? null : new Forecast(decision, askedAt);
      stays =
          decision != null
              && !decision.allowed()
              && !head.withdrawn
              && stays(head, decision, askedAt);
      outdated = false;
      if (!stays) {
        remove(head);
      }
      if (isNews) {
        hopeless = removeHopeless();
      }
    } finally {
      lock.unlock();
    }
    if (!stays) {
      end(head, decision, failure);
    }
    hopeless.forEach(waiter -> queue.refuse(key, waiter, 1));
  }

  private void end(Waiter head, @Nullable Decision decision, @Nullable Throwable failure) {
    if (decision == null) {
      queue.complete(head, () -> head.completeExceptionally(WaitQueue.cause(failure)));
    } else if (head.withdrawn && !decision.allowed()) {
      queue.complete(head, head::cancelled);
    } else if (closed != null && !decision.allowed()) {
      RuntimeException reason = closed;
      queue.complete(head, () -> head.completeExceptionally(reason));
    } else {
      queue.complete(head, () -> head.complete(decision));
    }
  }

  /** Whether a refused call goes on waiting: until it can be admitted, if that is in time. */
  private boolean stays(Waiter head, Decision refusal, long askedAt) {
    if (closed != null) {
      return false;
    }
    if (outdated) {
      return true;
    }
    if (refusal.retryAfter().isNever()) {
      return false;
    }
    long wait = refusal.retryAfter().toMicros();
    long least = Forecast.leastWaitMicros(refusal);
    if (least < wait) {
      // Permits that are held may be given back sooner, also by other processes.
      wait = Math.max(least, Math.min(wait, LOOK_AGAIN_MICROS));
    }
    headAdmittedAtMicros = Forecast.plus(askedAt, least);
    if (headAdmittedAtMicros > head.deadlineMicros) {
      return false;
    }
    long now = timer.nowMicros();
    // Counted from the answer, so as not to ask too early; but the last time at the deadline.
    wakesAtMicros = Math.min(Forecast.plus(now, wait), head.deadlineMicros);
    head.waited = true;
    sleeping = true;
    long sleep = ++sleeps;
    dropWake = timer.schedule(Math.max(0, wakesAtMicros - now), () -> wake(sleep));
    return true;
  }

  /** Those who came before there was an answer, and can now be told that they cannot be served. */
  private List<Waiter> removeHopeless() {
    List<Waiter> hopeless = new ArrayList<>();
    long ahead = 0;
    for (Waiter waiter : List.copyOf(waiters)) {
      if (ahead > 0 && isHopeless(waiter, ahead)) {
        remove(waiter);
        hopeless.add(waiter);
      } else {
        ahead += waiter.permits;
      }
    }
    return hopeless;
  }

  private void wake(long sleep) {
    lock.lock();
    try {
      if (sleep != sleeps || !sleeping) {
        return;
      }
      sleeping = false;
    } finally {
      lock.unlock();
    }
    advance();
  }

  /** A waiter's time is up. The first is never here: it ends by the answer it gets. */
  private void expire(Waiter waiter) {
    wakeIfDue();
    long least;
    lock.lock();
    try {
      if (!waiters.contains(waiter) || waiter == first()) {
        return;
      }
      remove(waiter);
      least = sleeping ? leastWait(0) : 1;
    } finally {
      lock.unlock();
    }
    queue.refuse(key, waiter, least);
  }

  /** At one instant whoever can be admitted comes before those whose time is up. */
  private void wakeIfDue() {
    long due;
    lock.lock();
    try {
      due = sleeping && wakesAtMicros <= timer.nowMicros() ? sleeps : 0;
    } finally {
      lock.unlock();
    }
    wake(due);
  }

  /** Ends the waiting of a call whose future was completed by somebody else. */
  private void leave(Waiter waiter) {
    if (withdraw(waiter)) {
      advance();
    }
  }

  /**
   * Removes a caller that gives up; {@code false} if it is decided or is being decided. To be
   * followed by {@link #advance}.
   */
  boolean withdraw(Waiter waiter) {
    lock.lock();
    try {
      if (!waiters.contains(waiter)) {
        return false;
      }
      boolean isFirst = waiter == first();
      if (isFirst && asking) {
        waiter.withdrawn = true;
        return false;
      }
      remove(waiter);
      if (isFirst) {
        stopSleeping();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Forgets what the store has told, and asks again. */
  void askAgain() {
    lock.lock();
    try {
      forecast = null;
      outdated = asking;
      stopSleeping();
    } finally {
      lock.unlock();
    }
    advance();
  }

  private void stopSleeping() {
    sleeping = false;
    dropWake.run();
  }

  /** Ends all waiting; the one that the store is asked for gets its answer if it is allowed. */
  void fail(RuntimeException failure) {
    List<Waiter> failed = new ArrayList<>();
    lock.lock();
    try {
      closed = failure;
      for (Waiter waiter : List.copyOf(waiters)) {
        if (!(asking && waiter == first())) {
          remove(waiter);
          failed.add(waiter);
        }
      }
      stopSleeping();
    } finally {
      lock.unlock();
    }
    failed.forEach(waiter -> queue.complete(waiter, () -> waiter.completeExceptionally(failure)));
    advance();
  }
}
