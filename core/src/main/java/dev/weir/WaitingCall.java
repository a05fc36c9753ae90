package dev.weir;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/** Blocks on a waiting call, which ends by itself. */
final class WaitingCall {

  private WaitingCall() {}

  static Decision await(Supplier<CompletableFuture<Decision>> start) {
    if (Thread.currentThread().isInterrupted()) {
      throw new RateLimiterException(
          "the thread is interrupted; nothing was asked and nothing charged", null);
    }
    CompletableFuture<Decision> call = start.get();
    try {
      return call.get();
    } catch (ExecutionException e) {
      throw failure(e);
    } catch (InterruptedException e) {
      try {
        return giveUp(call, e);
      } finally {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** A call that cannot be cancelled any more has its decision in a moment. */
  private static Decision giveUp(CompletableFuture<Decision> call, InterruptedException interrupt) {
    boolean unused = call.cancel(true);
    try {
      return call.join();
    } catch (CancellationException e) {
      throw new RateLimiterException(
          "interrupted while waiting for permits; nothing was charged", interrupt);
    } catch (CompletionException e) {
      throw failure(e);
    }
  }

  private static RateLimiterException failure(Exception wrapper) {
    return wrapper.getCause() instanceof RateLimiterException known
        ? known
        : new RateLimiterException("no decision: " + wrapper.getCause(), wrapper.getCause());
  }
}
