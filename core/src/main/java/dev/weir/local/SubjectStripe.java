package dev.weir.local;

import dev.weir.adaptive.AdaptiveAlgorithm;
import dev.weir.adaptive.AdaptiveState;
import dev.weir.adaptive.AdaptiveVerdict;
import dev.weir.adaptive.Outcome;
import dev.weir.adaptive.SubjectCall;
import dev.weir.adaptive.Tier;
import dev.weir.adaptive.Treatment;
import java.util.LinkedHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/** The subjects of one part of the hash range, under one lock that is held for arithmetic only. */
final class SubjectStripe {

  private static final int LOOKED_AT = 4;

  private static final Treatment NO_ROOM =
      new Treatment(Treatment.Kind.LIMITED, Tier.NORMAL, "no room to watch more subjects");

  private final ReentrantLock lock = new ReentrantLock();
  // In access order: the subjects that were seen longest ago are looked at first.
  private final LinkedHashMap<String, AdaptiveState> subjects =
      new LinkedHashMap<>(16, 0.75f, true);
  // Under the lock.
  private AdaptiveAlgorithm algorithm;
  private final AtomicInteger room;
  private AdaptiveState overflow = AdaptiveState.FRESH;

  /**
   * Makes a stripe.
   *
   * @param room for how many more subjects all stripes of the limiter have room
   */
  SubjectStripe(AdaptiveAlgorithm algorithm, AtomicInteger room) {
    this.algorithm = algorithm;
    this.room = room;
  }

  /** Judges by other limits or settings from now on; what is kept of subjects stays. */
  void change(AdaptiveAlgorithm other) {
    lock.lock();
    try {
      algorithm = other;
    } finally {
      lock.unlock();
    }
  }

  AdaptiveVerdict decide(SubjectCall call, boolean charge, long nowMicros) {
    lock.lock();
    try {
      AdaptiveState stored = subjects.get(call.subject());
      if (stored == null && !hasRoom(nowMicros)) {
        AdaptiveAlgorithm.Step step =
            step(overflow, call.treatment(limited(call)), charge, nowMicros);
        overflow = step.state();
        return step.verdict();
      }
      AdaptiveAlgorithm.Step step =
          step(stored == null ? AdaptiveState.FRESH : stored, call, charge, nowMicros);
      keep(call.subject(), stored != null, step.state());
      return step.verdict();
    } finally {
      lock.unlock();
    }
  }

  /** Without room only what does not ask for behaviour is as it would be. */
  private static Treatment limited(SubjectCall call) {
    return switch (call.treatment().kind()) {
      case EXEMPT, REFUSED, LIMITED -> call.treatment();
      case PINNED, JUDGED, WATCHED -> NO_ROOM;
    };
  }

  private AdaptiveAlgorithm.Step step(
      AdaptiveState stored, SubjectCall call, boolean charge, long nowMicros) {
    AdaptiveState state = stored;
    int seed = call.seed();
    if (!call.treatment().equals(NO_ROOM)) {
      for (Outcome outcome : call.earlier()) {
        state = algorithm.outcome(state, outcome, nowMicros, seed);
      }
    }
    AdaptiveAlgorithm.Step step =
        algorithm.decide(
            state, call.call(), call.permits(), charge, call.treatment(), nowMicros, seed);
    return charge ? step : new AdaptiveAlgorithm.Step(step.verdict(), stored);
  }

  /** Changes what is kept of a subject; for one that finds no room nothing is kept. */
  AdaptiveState change(String subject, long nowMicros, UnaryOperator<AdaptiveState> step) {
    lock.lock();
    try {
      AdaptiveState stored = subjects.get(subject);
      AdaptiveState after = step.apply(stored == null ? AdaptiveState.FRESH : stored);
      if (stored != null || hasRoom(nowMicros)) {
        keep(subject, stored != null, after);
      }
      return after;
    } finally {
      lock.unlock();
    }
  }

  AdaptiveState look(String subject) {
    lock.lock();
    try {
      return subjects.getOrDefault(subject, AdaptiveState.FRESH);
    } finally {
      lock.unlock();
    }
  }

  void remove(String subject) {
    lock.lock();
    try {
      if (subjects.remove(subject) != null) {
        room.incrementAndGet();
      }
    } finally {
      lock.unlock();
    }
  }

  private void keep(String subject, boolean isKnown, AdaptiveState state) {
    if (state.equals(AdaptiveState.FRESH)) {
      if (isKnown) {
        subjects.remove(subject);
        room.incrementAndGet();
      }
      return;
    }
    if (!isKnown) {
      room.decrementAndGet();
    }
    subjects.put(subject, state);
  }

  /** Whether there is room for a subject more, after some that count no more are forgotten. */
  private boolean hasRoom(long nowMicros) {
    for (int i = Math.min(LOOKED_AT, subjects.size()); i > 0; i--) {
      String eldest = subjects.keySet().iterator().next();
      AdaptiveState state = subjects.remove(eldest);
      if (state != null && algorithm.isNeeded(state, nowMicros)) {
        subjects.put(eldest, state);
      } else {
        room.incrementAndGet();
      }
    }
    return room.get() > 0;
  }
}
