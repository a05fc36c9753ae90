package dev.weir.redis;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Another Java process on this one's class path, that prints something and ends. */
final class ChildJvm {

  private final Process process;

  private ChildJvm(Process process) {
    this.process = process;
  }

  static ChildJvm start(Class<?> main, String... arguments) {
    return startWithout(List.of(), main, arguments);
  }

  /** As {@link #start}, without the jars whose names start so. */
  static ChildJvm startWithout(List<String> jars, Class<?> main, String... arguments) {
    String classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> jars.stream().noneMatch(fileName(entry)::startsWith))
            .collect(Collectors.joining(File.pathSeparator));
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + "/bin/java",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                classPath,
                main.getName()));
    command.addAll(List.of(arguments));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      return new ChildJvm(process);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String fileName(String entry) {
    return String.valueOf(Path.of(entry).getFileName());
  }

  /** All that it prints, once it has ended; an {@link AssertionError} if it failed. */
  String output() throws InterruptedException {
    try {
      String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new AssertionError("the process ended with " + process.exitValue() + ": " + printed);
      }
      return printed;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      process.destroyForcibly();
    }
  }
}
