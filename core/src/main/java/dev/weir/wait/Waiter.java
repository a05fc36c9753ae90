package dev.weir.wait;

import dev.weir.Decision;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The future of one waiting call. Its line's lock guards what is not final. */
final class Waiter extends CompletableFuture<Decision> {

  final long permits;
  final long deadlineMicros;

  /** Whether the call had to wait for its turn or for permits. */
  boolean waited;

  /** Whether the caller gave up while the store was asked. */
  boolean withdrawn;

  /** Drops what ends the waiting at the deadline, if there is such a task. */
  @Nullable Runnable deadlineTask;

  private volatile @Nullable Line line;

  Waiter(long permits, long deadlineMicros) {
    this.permits = permits;
    this.deadlineMicros = deadlineMicros;
  }

  void joined(Line line) {
    this.line = line;
  }

  void dropDeadline() {
    if (deadlineTask != null) {
      deadlineTask.run();
      deadlineTask = null;
    }
  }

  /**
   * Leaves the line. While the store is asked for this call that is too late: the answer may be a
   * charge, and then it is the answer. So this returns {@code false}, and the future completes with
   * the decision if it is allowed, and as cancelled otherwise.
   */
  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    Line current = line;
    if (current == null || isDone()) {
      return super.cancel(mayInterruptIfRunning);
    }
    if (!current.withdraw(this)) {
      return false;
    }
    boolean cancelled = super.cancel(mayInterruptIfRunning);
    current.advance();
    return cancelled;
  }

  /** Cancels what has left its line. */
  void cancelled() {
    super.cancel(false);
  }
}
