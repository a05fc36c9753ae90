package dev.weir.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What several rounds gave: a value for each. Immutable. */
final class Measured {

  private final List<Double> ascending;

  Measured(double... values) {
    this.ascending = Arrays.stream(values).sorted().boxed().toList();
  }

  List<Double> values() {
    return ascending;
  }

  double min() {
    return ascending.get(0);
  }

  double median() {
    return ascending.get(ascending.size() / 2);
  }

  double max() {
    return ascending.get(ascending.size() - 1);
  }

  /** Minimum, median and maximum. */
  String text(int digits) {
    String format = "%,." + digits + "f";
    return String.format(
        Locale.ROOT, format + " / " + format + " / " + format, min(), median(), max());
  }
}
