package dev.weir.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/** Gives the container's thread back until an answer is there, and then comes again. */
final class AsyncWait implements AsyncListener {

  private final CompletableFuture<Admission> answer;
  private final CompletableFuture<Admission> awaited;

  private AsyncWait(CompletableFuture<Admission> answer, CompletableFuture<Admission> awaited) {
    this.answer = answer;
    this.awaited = awaited;
  }

  /**
   * Makes the request asynchronous, and dispatches it again when the answer is there or the time is
   * over.
   *
   * @param answer what is waited for
   * @param awaited a copy of it, which fails if the time is over
   */
  static void start(
      HttpServletRequest request,
      HttpServletResponse response,
      CompletableFuture<Admission> answer,
      CompletableFuture<Admission> awaited,
      Duration deadline) {
    // With what the filters before this one made of them.
    AsyncContext context = request.startAsync(request, response);
    context.setTimeout(Math.max(1, deadline.toMillis()));
    context.addListener(new AsyncWait(answer, awaited));
    CompletableFuture<Void> unused = awaited.handle((admission, failure) -> dispatch(context));
  }

  private static Void dispatch(AsyncContext context) {
    context.dispatch();
    return null;
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    if (awaited.completeExceptionally(new TimeoutException("no answer in time"))) {
      // What comes too late for this request must not stay charged.
      CompletableFuture<Void> unused = answer.thenAccept(Admission::giveBack);
    }
  }

  @Override
  public void onComplete(AsyncEvent event) {}

  @Override
  public void onError(AsyncEvent event) {}

  @Override
  public void onStartAsync(AsyncEvent event) {}
}
