package dev.weir.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Rounds in which each contestant has a turn, so that what else the machine does meets them all. A
 * ratio is that of two turns of one round.
 */
final class Turns {

  private final Map<String, List<Load.Result>> byName = new LinkedHashMap<>();

  static Turns run(List<Contestant> contestants, int threads, int keys, Settings settings) {
    Turns turns = new Turns();
    for (Contestant contestant : contestants) {
      var unused = Load.run(contestant, threads, keys, settings.warmMillis());
    }
    for (int round = 0; round < settings.rounds(); round++) {
      for (Contestant contestant : contestants) {
        turns.add(contestant.name(), Load.run(contestant, threads, keys, settings.turnMillis()));
      }
    }
    return turns;
  }

  private void add(String name, Load.Result result) {
    byName.computeIfAbsent(name, any -> new ArrayList<>()).add(result);
  }

  private List<Load.Result> of(String name) {
    List<Load.Result> results = byName.get(name);
    if (results == null) {
      throw new IllegalArgumentException("there is no contestant " + name);
    }
    return results;
  }

  Measured measured(String name, ToDoubleFunction<Load.Result> figure) {
    return new Measured(of(name).stream().mapToDouble(figure).toArray());
  }

  /** How often the figure of one goes into that of another, round by round. */
  Measured ratio(String name, String other, ToDoubleFunction<Load.Result> figure) {
    double[] ratios = new double[of(name).size()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = figure.applyAsDouble(of(name).get(i)) / figure.applyAsDouble(of(other).get(i));
    }
    return new Measured(ratios);
  }

  void report(Report report, String what) {
    report.heading(what + " (decisions/s; p50, p99 in us: min / median / max)");
    for (String name : byName.keySet()) {
      report.figure(what, name, "decisions/s", 0, measured(name, Load.Result::perSecond));
      report.figure(what, name, "us p50", 0, measured(name, it -> it.percentileMicros(50)));
      report.figure(what, name, "us p99", 0, measured(name, it -> it.percentileMicros(99)));
    }
  }
}
