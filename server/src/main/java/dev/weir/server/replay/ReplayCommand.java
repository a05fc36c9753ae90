package dev.weir.server.replay;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.weir.config.ConfigException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
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
      description = "Where the state is kept: memory (default), or redis://HOST:PORT.")
  private String store = "memory";

  /** For the command line. */
  public ReplayCommand() {}

  @Override
  public Integer call() {
    PrintWriter err = spec.commandLine().getErr();
    try {
      run(spec.commandLine().getOut(), err);
      return 0;
    } catch (RedisException | IllegalStateException e) {
      err.println("weir: " + store + ": " + e.getMessage());
      return 1;
    } catch (NoSuchFileException e) {
      err.println("weir: there is no file " + e.getFile());
      return 1;
    } catch (ConfigException | IOException e) {
      err.println("weir: " + e.getMessage());
      return 1;
    }
  }

  private void run(PrintWriter out, PrintWriter err) throws IOException {
    if (store.equals("memory")) {
      run(ReplayStore::memory, out, err);
      return;
    }
    RedisClient client = RedisClient.create(redisUri());
    try {
      run(policy -> ReplayStore.redis(policy, client), out, err);
    } finally {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
  }

  private RedisURI redisUri() {
    if (store.startsWith("redis://") || store.startsWith("rediss://")) {
      try {
        return RedisURI.create(store);
      } catch (IllegalArgumentException e) {
        throw new ParameterException(
            spec.commandLine(), "--store " + store + " is no address: " + e.getMessage(), e);
      }
    }
    throw new ParameterException(
        spec.commandLine(), "--store must be memory or redis://HOST:PORT, and was '" + store + "'");
  }

  private void run(Function<PolicyFile, ReplayStore> stores, PrintWriter out, PrintWriter err)
      throws IOException {
    Labels labels = labelFiles.isEmpty() ? Labels.none() : Labels.read(labelFiles);
    List<Replayer> replayers = new ArrayList<>();
    try {
      for (@Nullable Path file : new Path[] {policy, against}) {
        if (file != null) {
          PolicyFile read = PolicyFile.read(file);
          replayers.add(new Replayer(read, labels, stores.apply(read)));
        }
      }
      replay(replayers, labels, out, err);
    } finally {
      replayers.forEach(Replayer::close);
    }
  }

  private void replay(List<Replayer> replayers, Labels labels, PrintWriter out, PrintWriter err)
      throws IOException {
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
