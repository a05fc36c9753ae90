package dev.weir.wait;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** One daemon thread for all limiters of the process, which is there only while somebody waits. */
final class SystemWaitTimer implements WaitTimer {

  static final SystemWaitTimer INSTANCE = new SystemWaitTimer();

  private final long startNanos = System.nanoTime();
  private final ScheduledThreadPoolExecutor scheduler;
  private final Executor completions = new CompletableFuture<Void>().defaultExecutor();

  private SystemWaitTimer() {
    scheduler =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              Thread thread = new Thread(work, "weir-wait");
              thread.setDaemon(true);
              return thread;
            });
    scheduler.setRemoveOnCancelPolicy(true);
    scheduler.setKeepAliveTime(10, TimeUnit.SECONDS);
    scheduler.allowCoreThreadTimeOut(true);
  }

  @Override
  public long nowMicros() {
    return (System.nanoTime() - startNanos) / 1_000;
  }

  @Override
  public Runnable schedule(long delayMicros, Runnable task) {
    ScheduledFuture<?> scheduled = scheduler.schedule(task, delayMicros, TimeUnit.MICROSECONDS);
    return () -> scheduled.cancel(false);
  }

  @Override
  public void execute(Runnable completion) {
    completions.execute(completion);
  }
}
