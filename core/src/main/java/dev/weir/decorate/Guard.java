package dev.weir.decorate;

import dev.weir.AlgorithmKind;
import dev.weir.Concurrency;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterException;
import dev.weir.Reservation;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Makes calls ask a limiter before they are made. A call that is refused is not made: it throws
 * {@link RefusedException}. Immutable and safe for use by any number of threads.
 *
 * <pre>{@code
 * Guard guard = Guard.of(limiter, "mail-server").waiting(Duration.ofSeconds(5));
 * Callable<Receipt> send = guard.callable(() -> server.send(mail));
 * }</pre>
 *
 * <p>The delay of a shaping bucket is waited for before the call is made. Permits of a {@link
 * Concurrency} limit are held until the call is over, however it ends.
 */
public final class Guard {

  private final RateLimiter limiter;
  private final String key;
  private final long permits;
  private final Duration timeout;

  private Guard(RateLimiter limiter, String key, long permits, Duration timeout) {
    this.limiter = Objects.requireNonNull(limiter, "limiter");
    this.key = Objects.requireNonNull(key, "key");
    this.permits = permits;
    this.timeout = Objects.requireNonNull(timeout, "timeout");
    Limit.checkPermits(permits, 1);
  }

  /** Calls that are charged one permit each to a key, and do not wait. */
  public static Guard of(RateLimiter limiter, String key) {
    return new Guard(limiter, key, 1, Duration.ZERO);
  }

  /**
   * The same for calls that cost so many permits.
   *
   * @throws IllegalArgumentException if not from 1 to {@link Limit#MAX_PERMITS}
   */
  public Guard permits(long permits) {
    return new Guard(limiter, key, permits, timeout);
  }

  /**
   * The same for calls that wait for their permits for so long at most, first come, first served.
   * Not for a policy with a {@link Concurrency} limit: such calls are refused at once.
   */
  public Guard waiting(Duration timeout) {
    return new Guard(limiter, key, permits, timeout);
  }

  /** A supplier that asks before each call. */
  public <T> Supplier<T> supplier(Supplier<? extends T> call) {
    return () -> {
      Permit permit = enter();
      try {
        return call.get();
      } finally {
        permit.close();
      }
    };
  }

  /** A callable that asks before each call. */
  public <T> Callable<T> callable(Callable<? extends T> call) {
    return () -> {
      Permit permit = enter();
      try {
        return call.call();
      } finally {
        permit.close();
      }
    };
  }

  /** A runnable that asks before each run. */
  public Runnable runnable(Runnable call) {
    return () -> {
      Permit permit = enter();
      try {
        call.run();
      } finally {
        permit.close();
      }
    };
  }

  /**
   * A supplier of stages that asks before each call, without blocking. A refusal is the failure of
   * the stage. Cancelling it before the call is made ends the waiting.
   */
  public <T> Supplier<CompletableFuture<T>> stage(Supplier<? extends CompletionStage<T>> call) {
    return () -> {
      CompletableFuture<Permit> asked = enterAsync();
      CompletableFuture<T> result =
          asked.thenCompose(
              permit -> {
                try {
                  return call.get().whenComplete((value, failure) -> permit.close());
                } catch (RuntimeException e) {
                  permit.close();
                  throw e;
                }
              });
      CompletableFuture<T> unused =
          result.whenComplete(
              (value, failure) -> {
                if (result.isCancelled()) {
                  asked.cancel(false);
                }
              });
      return result;
    };
  }

  /**
   * An executor that asks before it hands on each task. Where the answer is there at once, a
   * refusal is a {@link RejectedExecutionException}; where it comes later, it is given to {@code
   * whenRefused}, with the task not run.
   *
   * @param whenRefused is told what has become of tasks that were refused or failed later
   */
  public Executor executor(Executor executor, Consumer<Throwable> whenRefused) {
    return task -> {
      CompletableFuture<Permit> asked = enterAsync();
      if (asked.isCompletedExceptionally()) {
        throw new RejectedExecutionException(
            "the limiter did not let the task run", failure(asked));
      }
      CompletableFuture<Void> unused =
          asked
              .thenAccept(permit -> hand(executor, task, permit))
              .exceptionally(
                  failure -> {
                    whenRefused.accept(failure.getCause() == null ? failure : failure.getCause());
                    return null;
                  });
    };
  }

  private static void hand(Executor executor, Runnable task, Permit permit) {
    try {
      executor.execute(
          () -> {
            try {
              task.run();
            } finally {
              permit.close();
            }
          });
    } catch (RuntimeException e) {
      permit.close();
      throw e;
    }
  }

  private static Throwable failure(CompletableFuture<?> failed) {
    Throwable failure = failed.handle((value, thrown) -> thrown).join();
    return failure.getCause() == null ? failure : failure.getCause();
  }

  /**
   * Asks for one call by hand, waiting for the answer.
   *
   * <pre>{@code
   * try (Guard.Permit permit = guard.enter()) { ... }
   * }</pre>
   *
   * @throws RefusedException if the call must not be made
   * @throws RateLimiterException if the store did not answer
   */
  public Permit enter() {
    if (holds()) {
      return held(limiter.reserve(key, permits, longestLease()));
    }
    Decision decision =
        timeout.isZero()
            ? limiter.tryAcquire(key, permits)
            : limiter.acquire(key, permits, timeout);
    Permit permit = charged(decision);
    sleep(decision.delay());
    return permit;
  }

  private void sleep(Duration delay) {
    if (delay.isZero()) {
      return;
    }
    try {
      TimeUnit.NANOSECONDS.sleep(delay.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RateLimiterException(
          "interrupted while waiting for the call's turn; it was not made, and stays charged", e);
    }
  }

  /** As {@link #enter()}, without blocking. */
  public CompletableFuture<Permit> enterAsync() {
    if (holds()) {
      return limiter.reserveAsync(key, permits, longestLease()).thenApply(this::held);
    }
    CompletableFuture<Decision> asked =
        timeout.isZero()
            ? limiter.tryAcquireAsync(key, permits)
            : limiter.acquireAsync(key, permits, timeout);
    CompletableFuture<Permit> taken =
        asked.thenCompose(
            decision -> {
              Permit permit = charged(decision);
              return decision.delay().isZero()
                  ? CompletableFuture.completedFuture(permit)
                  : CompletableFuture.supplyAsync(
                      () -> permit,
                      CompletableFuture.delayedExecutor(
                          decision.delay().toNanos(), TimeUnit.NANOSECONDS));
            });
    CompletableFuture<Permit> unused =
        taken.whenComplete(
            (permit, failure) -> {
              if (taken.isCancelled()) {
                asked.cancel(false);
              }
            });
    return taken;
  }

  private static Permit charged(Decision decision) {
    if (!decision.allowed()) {
      throw new RefusedException(decision);
    }
    return () -> {};
  }

  private Permit held(Reservation reservation) {
    if (!reservation.decision().allowed()) {
      throw new RefusedException(reservation.decision());
    }
    return () -> {
      CompletableFuture<?> unused = limiter.settleAsync(key, reservation.id(), permits);
    };
  }

  private boolean holds() {
    return limiter.policy().limits().stream()
        .anyMatch(it -> it.limit().kind() == AlgorithmKind.CONCURRENCY);
  }

  private Duration longestLease() {
    Duration longest =
        limiter.policy().limits().stream()
            .filter(it -> it.limit() instanceof Concurrency)
            .map(it -> ((Concurrency) it.limit()).lease())
            .max(Duration::compareTo)
            .orElse(Reservation.MAX_LIFE);
    return longest.compareTo(Reservation.MAX_LIFE) > 0 ? Reservation.MAX_LIFE : longest;
  }

  /** What a call was let in with, to be closed when the call is over. */
  public interface Permit extends AutoCloseable {
    /** Frees what is held; the second time it does nothing. */
    @Override
    void close();
  }
}
