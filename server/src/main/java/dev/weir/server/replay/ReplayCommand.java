package dev.weir.server.replay;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.weir.config.ConfigException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir replay}: who would have been limited or blocked, when and why. */
@Command(
    name = "replay",
    description = "Feeds access logs through a policy and says who would have been refused.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class ReplayCommand implements Callable<Integer> {

  private static final JsonMapper JSON = new JsonMapper();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "LOG",
      arity = "1..*",
      description = "Access logs: combined, common or JSON format, plain or gzip.")
  private List<Path> logs = new ArrayList<>();

  @Option(
      names = "--policy",
      paramLabel = "FILE",
      required = true,
      description = "The policy to replay, JSON or YAML.")
  private @Nullable Path policy;

  @Option(
      names = "--against",
      paramLabel = "FILE",
      description = "Another policy to compare it with.")
  private @Nullable Path against;

  @Option(
      names = "--labels",
      paramLabel = "CSV",
      description = "What the clients are: lines of client,label.")
  private List<Path> labelFiles = new ArrayList<>();

  @Option(
      names = "--report",
      paramLabel = "HTML",
      description = "Write a report for a browser to this file.")
  private @Nullable Path report;

  @Option(names = "--json", paramLabel = "JSON", description = "Write the result to this file.")
  private @Nullable Path json;

  @Option(
      names = "--store",
      paramLabel = "STORE",
      defaultValue = "memory",
      description = "Where the state is kept: memory (default).")
  private String store = "memory";

  /** For the command line. */
  public ReplayCommand() {}

  @Override
  public Integer call() {
    if (!store.equals("memory")) {
      throw new ParameterException(
          spec.commandLine(), "--store must be memory, and was '" + store + "'");
    }
    PrintWriter err = spec.commandLine().getErr();
    try {
      run(spec.commandLine().getOut(), err);
      return 0;
    } catch (NoSuchFileException e) {
      err.println("weir: there is no file " + e.getFile());
      return 1;
    } catch (ConfigException | IOException e) {
      err.println("weir: " + e.getMessage());
      return 1;
    }
  }

  private void run(PrintWriter out, PrintWriter err) throws IOException {
    Labels labels = labelFiles.isEmpty() ? Labels.none() : Labels.read(labelFiles);
    List<Replayer> replayers = new ArrayList<>();
    for (@Nullable Path file : new Path[] {policy, against}) {
      if (file != null) {
        replayers.add(new Replayer(PolicyFile.read(file), labels));
      }
    }
    LogFiles files = new LogFiles(logs);
    Progress progress = new Progress(files.bytes(), err);
    files.read(line -> replayers.forEach(replayer -> replayer.replay(line)), progress::show);
    progress.end(files);
    List<ReplayResult> results = replayers.stream().map(Replayer::result).toList();
    results.forEach(result -> TextReport.print(result, labels, out));
    Map<String, Object> data = ReportData.of(results, labels, files);
    if (json != null) {
      Files.write(json, JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(data));
    }
    if (report != null) {
      Files.writeString(report, HtmlReport.page(JSON.writeValueAsString(data)));
    }
  }
}
