package dev.weir.redis;

import dev.weir.FailureCause;
import dev.weir.RateLimiterListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Notes what it is told of breakers. */
final class BreakerNotes implements RateLimiterListener {

  private final List<String> told = new CopyOnWriteArrayList<>();

  List<String> told() {
    return List.copyOf(told);
  }

  void clear() {
    told.clear();
  }

  @Override
  public void breakerChanged(String shard, boolean open, FailureCause cause) {
    told.add((open ? "open " : "closed ") + cause.word());
  }
}
