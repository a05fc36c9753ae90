package dev.weir.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Ends an admission once, when its response is complete, however that comes about. */
final class Completion implements AsyncListener {

  private static final int FAILED = 500;
  private static final int TIMED_OUT = 503;

  private final Admission admission;
  private final HttpServletResponse response;
  private final AtomicBoolean done = new AtomicBoolean();
  private volatile int status;
  private volatile boolean isListening;

  private Completion(Admission admission, HttpServletResponse response) {
    this.admission = admission;
    this.response = response;
  }

  /** Lets a request go on, and ends its admission after it. */
  static void follow(
      Admission admission,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    Completion completion = new Completion(admission, response);
    boolean returned = false;
    try {
      chain.doFilter(completion.listening(request), response);
      returned = true;
    } finally {
      completion.afterChain(request, returned);
    }
  }

  /**
   * A request that has this listen as soon as it becomes asynchronous. After the chain it may be
   * too late: another thread may have dispatched it again by then.
   */
  private HttpServletRequest listening(HttpServletRequest request) {
    return new HttpServletRequestWrapper(request) {
      @Override
      public AsyncContext startAsync() {
        return listenTo(super.startAsync());
      }

      @Override
      public AsyncContext startAsync(ServletRequest asked, ServletResponse answer) {
        return listenTo(super.startAsync(asked, answer));
      }
    };
  }

  private AsyncContext listenTo(AsyncContext context) {
    if (!isListening) {
      context.addListener(this);
      isListening = true;
    }
    return context;
  }

  private void afterChain(HttpServletRequest request, boolean returned) {
    if (!returned) {
      status = FAILED;
      finish();
    } else if (!isListening) {
      if (request.isAsyncStarted()) {
        listenTo(request.getAsyncContext());
      } else {
        finish();
      }
    }
  }

  private void finish() {
    if (done.compareAndSet(false, true)) {
      admission.finish(status == 0 ? response.getStatus() : status);
    }
  }

  @Override
  public void onComplete(AsyncEvent event) {
    finish();
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    status = TIMED_OUT;
  }

  @Override
  public void onError(AsyncEvent event) {
    status = FAILED;
  }

  @Override
  public void onStartAsync(AsyncEvent event) {
    // A new cycle forgets the listeners of the one before it.
    event.getAsyncContext().addListener(this);
  }
}
