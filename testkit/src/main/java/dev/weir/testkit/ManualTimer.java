package dev.weir.testkit;

import dev.weir.wait.WaitTimer;
import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The time of a {@link ManualClock} for those who wait by it: what is due runs while the clock is
 * moved by {@link #advance}, at its own instant, in order, and on the thread that moves it.
 */
public final class ManualTimer implements WaitTimer {

  private record Task(long atMicros, long number, Runnable body) {}

  private final ManualClock clock;
  private final TreeSet<Task> tasks =
      new TreeSet<>(Comparator.comparingLong(Task::atMicros).thenComparingLong(Task::number));
  private long scheduled;

  /** A timer that moves that clock. */
  public ManualTimer(ManualClock clock) {
    this.clock = clock;
  }

  @Override
  public long nowMicros() {
    return clock.now();
  }

  @Override
  public synchronized Runnable schedule(long delayMicros, Runnable body) {
    long at = Math.min(delayMicros, ManualClock.LATEST) + clock.now();
    Task task = new Task(at, scheduled++, body);
    tasks.add(task);
    return () -> drop(task);
  }

  private synchronized void drop(Task task) {
    tasks.remove(task);
  }

  @Override
  public void execute(Runnable completion) {
    completion.run();
  }

  /** How many tasks have neither run nor been dropped. */
  public synchronized int pending() {
    return tasks.size();
  }

  /** Moves the clock on by that much, stopping at each task that is due until then. */
  public void advance(long byMicros) {
    long until = clock.now() + byMicros;
    for (Task task = due(until); task != null; task = due(until)) {
      clock.set(Math.max(clock.now(), task.atMicros()));
      task.body().run();
    }
    clock.set(until);
  }

  private synchronized @Nullable Task due(long until) {
    return tasks.isEmpty() || tasks.first().atMicros() > until ? null : tasks.pollFirst();
  }
}
