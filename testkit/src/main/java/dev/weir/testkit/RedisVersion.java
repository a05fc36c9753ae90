package dev.weir.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The redis-server programs that tests run on. */
public enum RedisVersion {
  /** Redis 6.2, from a Maven artefact. */
  REDIS_6_2,
  /** Redis 7.0, from a Maven artefact. */
  REDIS_7_0,
  /** The program that the environment variable {@value RedisVersion#VARIABLE} names. */
  NAMED;

  /** The environment variable that names a redis-server, or one compatible with it. */
  public static final String VARIABLE = "WEIR_REDIS_SERVER";

  private static final Map<String, Path> EXTRACTED = new ConcurrentHashMap<>();

  // By machine: the names of the programs in the artefacts.
  private static final Map<String, String> PROGRAMS_6_2 =
      Map.of(
          "linux-amd64", "redis-server-6.2.6-v5-linux-amd64",
          "linux-arm64", "redis-server-6.2.7-linux-arm64",
          "darwin-amd64", "redis-server-6.2.6-v5-darwin-amd64",
          "darwin-arm64", "redis-server-6.2.6-v5-darwin-arm64");
  private static final Map<String, String> PROGRAMS_7_0 =
      Map.of(
          "linux-amd64", "redis-server-7.0.15-linux-amd64",
          "linux-arm64", "redis-server-7.0.15-linux-arm64",
          "darwin-amd64", "redis-server-7.0.15-darwin-amd64",
          "darwin-arm64", "redis-server-7.0.15-darwin-arm64");

  /** The versions to test on: those of the artefacts, and the named one if there is one. */
  public static List<RedisVersion> tested() {
    List<RedisVersion> tested = new ArrayList<>(List.of(REDIS_6_2, REDIS_7_0));
    if (named() != null) {
      tested.add(NAMED);
    }
    return tested;
  }

  /** The version for tests that need only one: the named one if there is one, else 7.0. */
  public static RedisVersion usual() {
    return named() == null ? REDIS_7_0 : NAMED;
  }

  private static @Nullable String named() {
    String path = System.getenv(VARIABLE);
    return path == null || path.isBlank() ? null : path;
  }

  /**
   * The program, ready to run.
   *
   * @throws IllegalStateException if there is none for this machine, or the named one cannot be run
   */
  Path program() {
    return switch (this) {
      case NAMED -> namedProgram();
      case REDIS_6_2 -> carried(PROGRAMS_6_2);
      case REDIS_7_0 -> carried(PROGRAMS_7_0);
    };
  }

  private static Path namedProgram() {
    String path = named();
    if (path == null || !Files.isExecutable(Path.of(path))) {
      throw new IllegalStateException(
          VARIABLE + " must be the path of a redis-server that can be run, and is " + path);
    }
    return Path.of(path);
  }

  private Path carried(Map<String, String> programs) {
    String resource = programs.get(machine());
    if (resource == null) {
      throw new IllegalStateException(
          "there is no " + this + " for " + machine() + "; set " + VARIABLE + " to a redis-server");
    }
    return EXTRACTED.computeIfAbsent(resource, RedisVersion::extract);
  }

  private static String machine() {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    return (os.contains("mac") ? "darwin" : os)
        + "-"
        + (arch.equals("x86_64") ? "amd64" : arch.equals("aarch64") ? "arm64" : arch);
  }

  private static Path extract(String resource) {
    try (InputStream in = RedisVersion.class.getResourceAsStream("/" + resource)) {
      if (in == null) {
        throw new IllegalStateException(
            resource + " is not on the class path; add an embedded-redis artefact that has it");
      }
      Path program = Files.createTempFile("weir-redis-server-", "");
      program.toFile().deleteOnExit();
      Files.copy(in, program, StandardCopyOption.REPLACE_EXISTING);
      if (!program.toFile().setExecutable(true)) {
        throw new IllegalStateException(program + " cannot be made executable");
      }
      return program;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
