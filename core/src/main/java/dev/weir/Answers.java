package dev.weir;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Waits for answers of a store. */
final class Answers {

  private Answers() {}

  /** Waits for an answer, which a store gives in bounded time. */
  static <T> T await(CompletableFuture<T> answer) {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof CompletionException && cause.getCause() != null) {
        cause = cause.getCause();
      }
      throw cause instanceof RateLimiterException known
          ? known
          : new RateLimiterException("no answer: " + cause, cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RateLimiterException(
          "interrupted while waiting for the store; the call may have been carried out", e);
    }
  }
}
