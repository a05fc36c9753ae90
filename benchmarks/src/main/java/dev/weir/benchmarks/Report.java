package dev.weir.benchmarks;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What was measured, for people as it comes and for programs at the end. */
final class Report {

  private final PrintStream out;
  private final List<Map<String, Object>> figures = new ArrayList<>();
  private final List<Goal> goals = new ArrayList<>();

  Report(PrintStream out) {
    this.out = out;
  }

  void heading(String text) {
    out.printf("%n%s%n", text);
  }

  /** A figure of each round. */
  void figure(String what, String who, String unit, int digits, Measured measured) {
    out.printf("  %-12s %-28s %s%n", who, measured.text(digits), unit);
    Map<String, Object> figure = new LinkedHashMap<>();
    figure.put("what", what);
    figure.put("who", who);
    figure.put("unit", unit);
    figure.put("rounds", measured.values());
    figures.add(figure);
  }

  void goal(Goal goal) {
    goals.add(goal);
  }

  /** Prints what came of the goals. */
  void printGoals() {
    out.println();
    goals.forEach(goal -> out.println(goal.line()));
    out.printf("%d of %d goals met%n", goals.stream().filter(Goal::isMet).count(), goals.size());
  }

  List<Goal> goals() {
    return goals;
  }

  void write(Path file) throws IOException {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("java", System.getProperty("java.version"));
    all.put("processors", Runtime.getRuntime().availableProcessors());
    all.put("figures", figures);
    all.put(
        "goals",
        goals.stream()
            .map(
                goal ->
                    Map.of(
                        "name", goal.name(),
                        "measured", goal.measured().values(),
                        "target", goal.target(),
                        "met", goal.isMet()))
            .toList());
    JsonMapper.builder()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .build()
        .writeValue(file.toFile(), all);
  }
}
