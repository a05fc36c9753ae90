package dev.weir.wait;

/**
 * The time that waiting is measured by, and what acts when it has come. Implementations are safe
 * for use by several threads.
 */
public interface WaitTimer {

  /** Microseconds since any fixed instant; never goes back. */
  long nowMicros();

  /**
   * Runs a task once, not before that time has passed, and never inside this call. The task is
   * short and waits for nothing.
   *
   * @param delayMicros 0 or more
   * @return drops the task if it has not run yet; may be run several times
   */
  Runnable schedule(long delayMicros, Runnable task);

  /** Runs what callers attached to the future of a call that waited, which may take long. */
  void execute(Runnable completion);

  /**
   * The timer of the machine: one thread of the process tells the time, and the default executor of
   * {@link java.util.concurrent.CompletableFuture} runs what callers attached.
   */
  static WaitTimer system() {
    return SystemWaitTimer.INSTANCE;
  }
}
