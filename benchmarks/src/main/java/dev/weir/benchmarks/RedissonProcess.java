package dev.weir.benchmarks;

import dev.weir.testkit.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Redisson in a process of its own, built by the module beside this one. */
final class RedissonProcess {

  private RedissonProcess() {}

  private static Path module() {
    for (Path root : List.of(Path.of(""), Path.of(".."))) {
      Path module = root.toAbsolutePath().normalize().resolve("benchmarks-redisson");
      if (Files.isDirectory(module.resolve("target/lib"))) {
        return module;
      }
    }
    throw new IllegalStateException(
        "benchmarks-redisson is not built; run mvn -pl benchmarks -am package from its parent");
  }

  /** Decisions per second of each round. */
  static Measured measure(RedisServer server, int threads, int keys, Settings settings) {
    double[] rounds = new double[settings.rounds()];
    for (int i = 0; i < rounds.length; i++) {
      rounds[i] = once(server, threads, keys, settings);
    }
    return new Measured(rounds);
  }

  private static double once(RedisServer server, int threads, int keys, Settings settings) {
    Path target = module().resolve("target");
    try {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                  "-cp",
                  target.resolve("classes") + ":" + target.resolve("lib") + "/*",
                  "dev.weir.benchmarks.redisson.RedissonLoad",
                  Integer.toString(server.port()),
                  Integer.toString(threads),
                  Integer.toString(keys),
                  Long.toString(settings.warmMillis()),
                  Long.toString(settings.turnMillis()))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      try (BufferedReader reader =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
        String line = reader.readLine();
        if (line == null) {
          throw new IllegalStateException("Redisson's process said nothing");
        }
        return Double.parseDouble(line.split(" ", -1)[0]);
      } finally {
        process.destroy();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
