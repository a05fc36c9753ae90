package dev.weir.redis;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** What futures wrap around failures. */
final class Failures {

  private Failures() {}

  /** The failure itself, without the wrapping of futures. */
  static Throwable root(Throwable failure) {
    Throwable root = failure;
    while ((root instanceof CompletionException || root instanceof ExecutionException)
        && root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }
}
