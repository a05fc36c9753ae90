package dev.weir.spring.autoconfigure;

import dev.weir.Decision;
import dev.weir.FailureCause;
import dev.weir.RateLimiterListener;
import java.util.List;
import java.util.function.Consumer;

/** Several listeners as one. What one of them throws does not keep the others from being told. */
final class Listeners implements RateLimiterListener {

  private static final System.Logger LOG = System.getLogger(Listeners.class.getName());

  private final List<RateLimiterListener> all;

  private Listeners(List<RateLimiterListener> all) {
    this.all = List.copyOf(all);
  }

  static RateLimiterListener of(List<RateLimiterListener> all) {
    return switch (all.size()) {
      case 0 -> NONE;
      case 1 -> all.get(0);
      default -> new Listeners(all);
    };
  }

  private void tell(Consumer<RateLimiterListener> what) {
    for (RateLimiterListener listener : all) {
      try {
        what.accept(listener);
      } catch (RuntimeException e) {
        LOG.log(System.Logger.Level.WARNING, "a listener failed", e);
      }
    }
  }

  @Override
  public void decided(Decision decision, long nanos) {
    tell(listener -> listener.decided(decision, nanos));
  }

  @Override
  public void failed(String policy, FailureCause cause) {
    tell(listener -> listener.failed(policy, cause));
  }

  @Override
  public void breakerChanged(String shard, boolean open, FailureCause cause) {
    tell(listener -> listener.breakerChanged(shard, open, cause));
  }

  @Override
  public void scriptLoaded(String policy) {
    tell(listener -> listener.scriptLoaded(policy));
  }

  @Override
  public void stateRepaired(String policy) {
    tell(listener -> listener.stateRepaired(policy));
  }
}
