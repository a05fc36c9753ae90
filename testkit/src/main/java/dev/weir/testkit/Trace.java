package dev.weir.testkit;

import dev.weir.RateLimitPolicy;
import java.util.ArrayList;
import java.util.List;

/**
 * What is done to a limiter, step by step, so that it can be repeated.
 *
 * @param policy the policy at first
 * @param startMicros where the clock stands at first
 * @param steps what is done
 */
public record Trace(RateLimitPolicy policy, long startMicros, List<Step> steps) {

  /** How many keys a trace can have. */
  public static final int MAX_KEYS = 3;

  /** Copies the steps. */
  public Trace {
    steps = List.copyOf(steps);
  }

  /**
   * A step that asked something, and what was answered.
   *
   * @param step the step
   * @param policy the policy it was judged by
   * @param atMicros the clock's time
   * @param answer the answer
   */
  public record Observation(Step step, RateLimitPolicy policy, long atMicros, Answer answer) {

    /** The permits that were asked for. */
    public long permits() {
      if (step instanceof Step.Acquire acquire) {
        return acquire.permits();
      }
      return step instanceof Step.Peek peek ? peek.permits() : 0;
    }

    /** The permits that were admitted and charged by this step. */
    public long charged() {
      return answer.allowed() && step instanceof Step.Acquire ? permits() : 0;
    }

    /** The key that was asked for. */
    public int key() {
      if (step instanceof Step.Acquire acquire) {
        return acquire.key();
      }
      return step instanceof Step.Peek peek ? peek.key() : -1;
    }
  }

  /** Is told of each answer as it comes, with the clock where it was given. */
  @FunctionalInterface
  public interface Listener {
    /** An answer came. */
    void answered(Observation observation, String key);
  }

  /**
   * Does all steps, the first of them at {@link #startMicros}.
   *
   * @param subject what is asked
   * @param clock the clock it decides by
   * @param keyPrefix what the texts of its keys start with; they must be unused in the store
   */
  public List<Observation> run(Subject subject, ManualClock clock, String keyPrefix) {
    return run(subject, clock, keyPrefix, (observation, key) -> {});
  }

  /** As {@link #run(Subject, ManualClock, String)}, with a listener. */
  public List<Observation> run(
      Subject subject, ManualClock clock, String keyPrefix, Listener listener) {
    Run run = new Run(subject, clock, keyPrefix, listener, policy);
    clock.set(startMicros);
    for (Step step : steps) {
      run.apply(step);
    }
    return run.observations;
  }

  /** The trace with other steps. */
  Trace with(List<Step> others) {
    return new Trace(policy, startMicros, others);
  }

  /** Java code that makes this trace. */
  public String toJava() {
    return JavaCode.of(this);
  }

  private static final class Run {
    private final Subject subject;
    private final ManualClock clock;
    private final String keyPrefix;
    private final Listener listener;
    private final List<Observation> observations = new ArrayList<>();
    private RateLimitPolicy policy;

    Run(
        Subject subject,
        ManualClock clock,
        String keyPrefix,
        Listener listener,
        RateLimitPolicy policy) {
      this.subject = subject;
      this.clock = clock;
      this.keyPrefix = keyPrefix;
      this.listener = listener;
      this.policy = policy;
    }

    void apply(Step step) {
      if (step instanceof Step.Acquire acquire) {
        String key = text(acquire.key());
        observe(step, key, subject.tryAcquire(key, acquire.permits()));
      } else if (step instanceof Step.Peek peek) {
        String key = text(peek.key());
        observe(step, key, subject.peek(key, peek.permits()));
      } else if (step instanceof Step.Charge charge) {
        String key = text(charge.key());
        observe(step, key, subject.charge(key, charge.permits()));
      } else if (step instanceof Step.Refund refund) {
        String key = text(refund.key());
        observe(step, key, subject.refund(key, refund.permits()));
      } else if (step instanceof Step.GiveBack back) {
        giveBack(back, text(back.key()));
      } else if (step instanceof Step.Reserve reserve) {
        String key = text(reserve.key());
        observe(step, key, subject.reserve(key, reserve.permits(), reserve.lifeMicros()));
      } else if (step instanceof Step.Settle settle) {
        settle(settle, text(settle.key()));
      } else if (step instanceof Step.Reset reset) {
        subject.reset(text(reset.key()));
      } else if (step instanceof Step.Advance advance) {
        clock.advance(advance.micros());
      } else if (step instanceof Step.Await await) {
        await(await);
      } else if (step instanceof Step.Change change) {
        policy = change.policy();
        subject.changePolicy(policy);
      }
    }

    private void giveBack(Step.GiveBack step, String key) {
      if (step.back() < subject.charges(key)) {
        observe(step, key, subject.giveBack(key, step.back(), step.permits()));
      }
    }

    private void settle(Step.Settle step, String key) {
      if (step.back() < subject.reservations(key)) {
        observe(step, key, subject.settle(key, step.back(), step.permits()));
      }
    }

    private String text(int key) {
      return keyPrefix + key;
    }

    private void observe(Step step, String key, Answer answer) {
      Observation observation = new Observation(step, policy, clock.now(), answer);
      observations.add(observation);
      listener.answered(observation, key);
    }

    private void await(Step.Await await) {
      if (!observations.isEmpty()) {
        long advice = await.what().of(observations.get(observations.size() - 1).answer());
        if (advice > 0) {
          clock.advance(advice + await.offset());
        }
      }
    }
  }
}
