package dev.weir.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Makes a failing trace small: fewer steps first, then smaller numbers. */
public final class Shrinker {

  private static final int MOST_RUNS = 4_000;

  private final Predicate<Trace> fails;
  private int runs;

  private Shrinker(Predicate<Trace> fails) {
    this.fails = fails;
  }

  /**
   * A trace that still fails, and from which no step can be left out.
   *
   * @param trace one that fails
   * @param fails whether a trace fails; run at most a few thousand times
   */
  public static Trace shrink(Trace trace, Predicate<Trace> fails) {
    Shrinker shrinker = new Shrinker(fails);
    Trace smallest = trace;
    Trace before;
    do {
      before = smallest;
      smallest = shrinker.simplerNumbers(shrinker.fewerSteps(smallest));
    } while (!smallest.equals(before) && shrinker.runs < MOST_RUNS);
    return smallest;
  }

  private boolean stillFails(Trace candidate) {
    return runs++ < MOST_RUNS && fails.test(candidate);
  }

  private Trace fewerSteps(Trace trace) {
    Trace smallest = trace;
    for (int size = Math.max(1, trace.steps().size() / 2); size >= 1; size /= 2) {
      for (int from = 0; from < smallest.steps().size(); ) {
        List<Step> rest = new ArrayList<>(smallest.steps());
        rest.subList(from, Math.min(rest.size(), from + size)).clear();
        Trace candidate = smallest.with(rest);
        if (stillFails(candidate)) {
          smallest = candidate;
        } else {
          from += size;
        }
      }
    }
    return smallest;
  }

  private Trace simplerNumbers(Trace trace) {
    Trace smallest = trace;
    for (long start : new long[] {0, ManualClock.MIDNIGHT}) {
      Trace candidate = new Trace(smallest.policy(), start, smallest.steps());
      if (smallest.startMicros() != 0 && stillFails(candidate)) {
        smallest = candidate;
      }
    }
    for (int i = 0; i < smallest.steps().size(); i++) {
      smallest = simplerStep(smallest, i);
    }
    return smallest;
  }

  private Trace simplerStep(Trace trace, int index) {
    Trace smallest = trace;
    boolean simpler = true;
    while (simpler) {
      simpler = false;
      for (Step candidate : simpler(smallest.steps().get(index))) {
        List<Step> steps = new ArrayList<>(smallest.steps());
        steps.set(index, candidate);
        if (!candidate.equals(smallest.steps().get(index)) && stillFails(smallest.with(steps))) {
          smallest = smallest.with(steps);
          simpler = true;
          break;
        }
      }
    }
    return smallest;
  }

  private static List<Step> simpler(Step step) {
    if (step instanceof Step.Acquire acquire) {
      return numbers(acquire.permits()).stream()
          .map(permits -> (Step) new Step.Acquire(acquire.key(), permits))
          .toList();
    }
    if (step instanceof Step.Peek peek) {
      return List.of(new Step.Peek(peek.key(), 1), new Step.Acquire(peek.key(), peek.permits()));
    }
    if (step instanceof Step.Charge charge) {
      return numbers(charge.permits()).stream()
          .map(permits -> (Step) new Step.Charge(charge.key(), permits))
          .toList();
    }
    if (step instanceof Step.GiveBack back) {
      return numbers(back.permits()).stream()
          .map(permits -> (Step) new Step.GiveBack(back.key(), back.back(), permits))
          .toList();
    }
    if (step instanceof Step.Advance advance) {
      return numbers(advance.micros()).stream()
          .map(micros -> (Step) new Step.Advance(micros))
          .toList();
    }
    return List.of();
  }

  /** Numbers nearer to 0, the simplest first; each is nearer than the given one. */
  private static List<Long> numbers(long number) {
    List<Long> simpler = new ArrayList<>();
    for (long unit = 1_000_000_000_000L; unit > 1; unit /= 10) {
      if (number % unit != 0) {
        simpler.add(number - number % unit);
      }
    }
    simpler.add(number / 2);
    simpler.add(number - Long.signum(number));
    if (Math.abs(number) > 1) {
      simpler.add(0, (long) Long.signum(number));
    }
    return simpler;
  }
}
