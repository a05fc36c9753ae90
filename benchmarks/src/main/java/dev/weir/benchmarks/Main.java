package dev.weir.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
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

  /** Runs the command. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Main()).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    Report report = run(quick ? Settings.QUICK : Settings.FULL, new Report(System.out));
    report.printGoals();
    if (json != null) {
      report.write(json);
    }
    return 0;
  }

  static Report run(Settings settings, Report report) {
    new RedisBench(settings, report).run();
    new RedisCost(settings, report).run();
    new LocalBench(settings, report).run();
    return report;
  }
}
