package dev.weir.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code weir bench}: measures Weir and its peers in one run, and says which goals were met. */
@Command(
    name = "bench",
    description = "Measures Weir and its peers in one run, and says which goals were met.",
    mixinStandardHelpOptions = true)
final class Main implements Callable<Integer> {

  @Option(names = "--quick", description = "Short turns: about two minutes instead of ten.")
  private boolean quick;

  @Option(names = "--json", paramLabel = "FILE", description = "Write all figures to a file.")
  private @Nullable Path json;

  /** The parts of the run. */
  enum Part {
    /** Decisions on Redis against the peers. */
    REDIS,
    /** What a decision costs Redis. */
    COST,
    /** The limiters in the process. */
    LOCAL
  }

  @Option(
      names = "--only",
      paramLabel = "PART",
      split = ",",
      description = "Measure these parts alone: ${COMPLETION-CANDIDATES}.")
  private List<Part> only = List.of(Part.values());

  /** Runs the command. */
  public static void main(String[] args) {
    System.exit(
        new CommandLine(new Main()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    Report report = run(only, quick ? Settings.QUICK : Settings.FULL, new Report(System.out));
    report.printGoals();
    if (json != null) {
      report.write(json);
    }
    return 0;
  }

  static Report run(List<Part> parts, Settings settings, Report report) {
    if (parts.contains(Part.REDIS)) {
      new RedisBench(settings, report).run();
    }
    if (parts.contains(Part.COST)) {
      new RedisCost(settings, report).run();
    }
    if (parts.contains(Part.LOCAL)) {
      new LocalBench(settings, report).run();
    }
    return report;
  }
}
